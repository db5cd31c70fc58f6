// color.js: a ramp from dark blue to light yellow whose lightness rises evenly, made in OKLCH [B. Ottosson 2020].

const STEPS = 256;

// sRGB of lightness, chroma and hue.
function fromOklch(L, C, degrees) {
    const hue = (degrees * Math.PI) / 180;
    const [a, b] = [C * Math.cos(hue), C * Math.sin(hue)];
    const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
    return linear.map((x) => Math.round(255 * Math.min(1, Math.max(0, x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055))));
}

const RAMP = Array.from({ length: STEPS }, (_, i) => {
    const share = i / (STEPS - 1);
    return fromOklch(0.34 + 0.58 * share, 0.11 + 0.05 * Math.sin(Math.PI * share), 275 - 175 * share);
});

// The colour of a share from 0 to 1.
export const rampOf = (share) => RAMP[Math.min(STEPS - 1, Math.max(0, Math.round(share * (STEPS - 1))))];
export const rampText = (share) => `rgb(${rampOf(share).join(' ')})`;
