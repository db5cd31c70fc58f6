% Run the four-bar, read its results, and draw the crank's angle and the force of a hinge. Octave and MATLAB:
%
%   octave examples/octave/four_bar.m          (in the repository, after ./dev run)

program = getenv('HOLONOM_PROGRAM');
if isempty(program), program = 'holonom'; end
model = getenv('HOLONOM_MODEL');
if isempty(model), model = 'models/four_bar.yaml'; end
folder = tempname();
mkdir(folder);
run = fullfile(folder, 'four_bar.h5');
file = fullfile(folder, 'four_bar.mat');
[status, said] = system(sprintf('"%s" run "%s" -q -o "%s" && "%s" results "%s" --to "%s"', program, model, run, program, run, file));
if status ~= 0, error('%s\n%s', said, 'the run failed: is holonom on the path, or HOLONOM_PROGRAM its name?'); end

result = getfield(load(file), 'result');
t = result.time;
angle = result.measures.crank_angle;                 % rad: result.units.measures.crank_angle
hinge = find(strcmp(result.joints.names, 'B'));
force = squeeze(result.joints.force(:, hinge, :));   % records x components, N, global frame
pull = sqrt(sum(force.^2, 2));

printf_like = @(varargin) disp(sprintf(varargin{:}));
printf_like('%s by %s, Holonom %s', result.about.name, result.about.method, result.about.version);
printf_like('crank from %.4f to %.4f %s', min(angle), max(angle), result.units.measures.crank_angle);
[most, at] = max(pull);
printf_like('largest force in B: %.2f %s at %.2f s', most, result.units.joints.force, t(at));

if ~isempty(getenv('HOLONOM_PLOT'))
    subplot(2, 1, 1); plot(t, angle * 180 / pi); ylabel('crank angle [deg]');
    subplot(2, 1, 2); plot(t, pull); ylabel('force in B [N]'); xlabel('time [s]');
    print('-dpng', getenv('HOLONOM_PLOT'));
end
