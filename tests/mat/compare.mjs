// What is wrong with a result as MAT, beside the columns that the program prints: node compare.mjs run.mat columns.csv
import { readFileSync } from 'node:fs'
import { read } from './read.mjs'

const [file, columns] = process.argv.slice(2)
const r = read(file).result
const [head, ...rows] = readFileSync(columns, 'utf8').trim().split('\n').map(line => line.split(','))
const n = rows.length
const check = (good, what) => good || console.log(what)
const same = (a, k) => a.values.length === n && a.values.every((x, i) => x === Number(rows[i][k]))
check(same(r.time, 0), 'the time')
check(same(r.measures.wheel_x, 1) && head[1] === `${r.names.wheel_x} [${r.units.measures.wheel_x}]`, 'a measure')
check(same(r.energy.kinetic, 2), 'an energy')
check(same(r.measures.pull_fx, 3), 'a reaction as a measure')
// the same reaction as an array: entry (i, joint, 0) of records x joints x 3, column after column
const { dims, values } = r.joints.force, joint = r.joints.names.indexOf('tie')
check(dims.join() === `${n},${r.joints.names.length},3` && joint >= 0, `sizes ${dims} and joints ${r.joints.names}`)
check(rows.every((row, i) => values[i + n * joint] === Number(row[3])), 'the reaction of a joint')
check(r.bodies.quaternion.dims.join() === `${n},${r.bodies.names.length},4`, 'sizes of the bodies')
check(r.state.q.dims[0] === n && r.units.joints.moment === 'N*m' && r.statistics.steps.values[0] > 5, 'the rest')
check(r.about.name === 'Äste, λ ≤ 3', `the name ${r.about.name}`)
