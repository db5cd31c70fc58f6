// A MAT file of level 5 as an object, by the published description alone: structs, cell arrays, texts, numbers ({dims, values}).
import { readFileSync } from 'node:fs'

const READERS = { 1: 'readInt8', 2: 'readUInt8', 4: 'readUInt16LE', 5: 'readInt32LE', 6: 'readUInt32LE', 9: 'readDoubleLE' }
const SIZES = { 1: 1, 2: 1, 4: 2, 5: 4, 6: 4, 9: 8 }

// The element at the place: its type, its bytes and where the next one begins.
function element(bytes, at) {
    const first = bytes.readUInt32LE(at)
    if (first >>> 16) return { type: first & 0xffff, data: bytes.subarray(at + 4, at + 4 + (first >>> 16)), next: at + 8 }
    const n = bytes.readUInt32LE(at + 4)
    return { type: first, data: bytes.subarray(at + 8, at + 8 + n), next: at + 8 + 8 * Math.ceil(n / 8) }
}

function numbers({ type, data }) {
    return Array.from({ length: data.length / SIZES[type] }, (_, i) => data[READERS[type]](i * SIZES[type]))
}

function matrix(bytes) {
    let part = element(bytes, 0)
    const kind = part.data[0]
    const next = () => (part = element(bytes, part.next))
    const dims = numbers(next())
    const name = next().data.toString('latin1')
    const many = n => Array.from({ length: n }, () => matrix(next().data).value)
    if (kind === 2) {
        const width = numbers(next())[0], names = next().data.toString('latin1')
        const keys = Array.from({ length: names.length / width }, (_, i) => names.slice(i * width, (i + 1) * width).replace(/\0.*$/s, ''))
        const values = many(keys.length)
        return { name, value: Object.fromEntries(keys.map((key, i) => [key, values[i]])) }
    }
    if (kind === 1) return { name, value: many(dims[0] * dims[1]) }
    const values = numbers(next())
    return { name, value: kind === 4 ? String.fromCharCode(...values) : { dims, values } }
}

export function read(path) {
    const bytes = readFileSync(path), found = {}
    if (bytes.toString('latin1', 0, 10) !== 'MATLAB 5.0' || bytes.toString('latin1', 126, 128) !== 'IM') throw Error('no MAT file')
    for (let at = 128, part; at < bytes.length; at = part.next) {
        part = element(bytes, at)
        const { name, value } = matrix(part.data)
        found[name] = value
    }
    return found
}
