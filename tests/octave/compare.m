% The results of one run as MAT, HDF5 and CSV: the same numbers. Prints TAP; the folder has run.mat, run.h5, run.csv.
folder = getenv('HOLONOM_FOLDER');
r = load(fullfile(folder, 'run.mat')).result;
% what is not ASCII (the model's text here) Octave cannot read from HDF5, so the groups are named
h = load(fullfile(folder, 'run.h5'), 'time', 'measures', 'energy', 'constraints', 'state', 'bodies', 'joints', 'forces');
c = dlmread(fullfile(folder, 'run.csv'), ',', 1, 0);
header = strsplit(fgetl(fopen(fullfile(folder, 'run.csv'))), ',');
function check(k, good, what)
    if good, printf('ok %d - %s\n', k, what); else printf('not ok %d - %s\n', k, what); exit(1); end
end
% HDF5 counts dimensions the other way round, and Octave keeps the order of the bytes
turn = @(x) permute(x, ndims(x):-1:1);
names = fieldnames(r.measures);
check(1, isequal(r.time(:), h.time(:), c(:, 1)), 'the time');
same = numel(names) + 1 == columns(c);
for i = 1:numel(names)
    title = r.names.(names{i});
    if isfield(r.units.measures, names{i}) && ~isempty(r.units.measures.(names{i}))
        title = [title ' [' r.units.measures.(names{i}) ']'];
    end
    same = same && isequal(r.measures.(names{i})(:), c(:, i + 1)) && strcmp(title, header{i + 1});
end
check(2, same && numel(names) > 3, 'measures of MAT and CSV, their names and units');
same = isequal(sort(cellfun(@(n) r.names.(n), names, 'UniformOutput', false)), sort(fieldnames(h.measures))) || ...
       numel(fieldnames(h.measures)) == numel(names);
for i = 1:numel(names)
    found = 0;
    for other = fieldnames(h.measures)'
        found = found || isequal(h.measures.(other{1})(:), r.measures.(names{i})(:));
    end
    same = same && found;
end
check(3, same, 'measures of MAT and HDF5');
same = 1;
for group = {'energy', 'constraints'}
    for field = fieldnames(r.(group{1}))'
        same = same && isequal(r.(group{1}).(field{1})(:), h.(group{1}).(field{1})(:));
    end
end
check(4, same, 'energies and violations');
same = 1; n = 0;
for group = {'state', 'bodies', 'joints', 'forces'}
    for field = fieldnames(r.(group{1}))'
        if strcmp(field{1}, 'names'), continue; end
        a = r.(group{1}).(field{1}); b = turn(h.(group{1}).(field{1}));
        same = same && (isequal(a, b) || isequal(a, squeeze(b)) || isequal(a(:), b(:)));
        n++;
    end
end
check(5, same && n > 10, 'coordinates, bodies, reactions and forces');
check(6, isequal(size(r.joints.force), [numel(r.time), numel(r.joints.names), 3]) && ...
         isequal(size(r.bodies.quaternion), [numel(r.time), numel(r.bodies.names), 4]), 'sizes');
check(7, strcmp(r.units.time, 's') && strcmp(r.units.joints.moment, 'N*m') && strcmp(r.about.version, getenv('HOLONOM_VERSION')) && ...
         r.statistics.steps > 10 && strcmp(r.options.coordinates, 'auto') && index(r.about.model, 'name:') > 0, 'units, texts and statistics');
total = r.energy.kinetic + r.energy.potential - r.energy.work;
check(8, max(abs(total - r.energy.balance)) <= 1e-12 * max(abs(total)), 'the energy balance of the numbers');
