"""Made by holonom._hints from the table of options; do not edit."""
from typing import Literal, Sequence, TypedDict, Union


class Options(TypedDict, total=False):
    """Options of a simulation."""

    start: Union[float, str]
    end: Union[float, str]
    start_at: Literal["drawn", "equilibrium"]
    coordinates: Literal["auto", "reference", "natural", "relative", "cheapest"]
    method: Literal[
        "auto",
        "lagrange",
        "baumgarte",
        "projection",
        "penalty",
        "augmented-lagrangian",
        "index1-projection",
        "direct-correction",
        "partitioning",
        "partitioning-extended",
        "partitioning-hybrid",
        "independent",
        "independent-extended",
        "nullspace",
        "udwadia-kalaba",
        "canonical",
        "canonical-independent",
        "canonical-augmented",
        "canonical-augmented-basic",
        "velocity-transformation",
        "dae",
        "braun-goldfarb",
    ]
    kernel: Literal["auto", "kkt", "schur", "penalty", "augmented-lagrangian", "udwadia-kalaba", "nullspace", "open-chain"]
    basis: Literal["auto", "qr", "svd", "eigen", "schur", "putd", "partition", "local"]
    nullspace_form: Literal["auto", "reduced", "stacked"]
    uk_form: Literal["pseudoinverse", "range-space"]
    reactions: Literal["kernel", "local"]
    local_coordinates: Literal["fewest", "full"]
    storage: Literal["auto", "dense", "sparse"]
    penalty: Union[float, str]
    iterations: int
    iteration_tolerance: Union[float, str]
    rank_tolerance: Union[float, str]
    watch: Union[float, str]
    watch_by: Literal["auto", "bound", "pace"]
    independent: Union[str, Sequence[str]]
    independent_change: Literal["stop", "exchange"]
    dae_form: Literal["ggl", "index-1", "index-2", "index-2-canonical"]
    stabilizer: Literal["auto", "none", "baumgarte", "penalty", "braun-goldfarb", "hybrid", "ggl"]
    gains: Literal["auto", "fixed", "step", "taylor", "pole-placement", "adaptive", "optimal"]
    sampling: Literal["auto", "stage", "step"]
    pole: Union[float, str]
    alpha: Union[float, str]
    beta: Union[float, str]
    step_gain: Union[float, str]
    omega: Union[float, str]
    mu: Union[float, str]
    threshold: Union[float, str]
    assemble: Union[bool, Literal["on", "off"]]
    correction: Literal[
        "auto",
        "none",
        "direct",
        "direct-mass",
        "partition",
        "drift",
        "hybrid",
        "mass-orthogonal",
        "direct-energy",
        "direct-mass-energy",
    ]
    newton: Literal["modified", "full"]
    energy_limit: Union[float, str]
    position_tolerance: Union[float, str]
    velocity_tolerance: Union[float, str]
    crossing: Union[bool, Literal["auto", "off", "on"]]
    integrator: Literal[
        "auto",
        "euler",
        "heun",
        "rk4",
        "bs32",
        "dopri5",
        "dop853",
        "rodas3",
        "rodas4",
        "rodasp",
        "esdirk3",
        "esdirk4",
        "radau3",
        "radau5",
        "radau9",
        "generalized-alpha",
        "hht",
        "newmark",
        "newmark-extrapolated",
        "real-time",
        "energy-momentum",
        "rattle",
        "rattle6",
        "rattle8",
        "adams",
        "bdf",
        "ida",
    ]
    step: Union[float, str]
    tolerance: Union[float, str]
    first_step: Union[float, str]
    max_step: Union[float, str]
    spectral_radius: Union[float, str]
    max_steps: int
    output: Union[float, str]
    output_mode: Literal["auto", "land", "dense"]
    extremes: Union[bool, Literal["off", "on"]]
    tolerance_kind: Literal["local", "end"]
    constraint_reactions: Union[bool, Literal["off", "on"]]
    units: Union[str, Sequence[str]]
    impacts: Literal["sequence", "together"]
    contact_tolerance: Union[float, str]
    catch_tolerance: Union[float, str]
    max_time: Union[float, str]
    max_rows: Union[float, str]
    max_bytes: Union[float, str]
    max_creep: Union[float, str]
    expected_violation: Union[float, str]
    expected_energy_error: Union[float, str]
    max_violation: Union[float, str]
    max_energy_error: Union[float, str]
