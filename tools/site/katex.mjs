// TeX to HTML by KaTeX: a list of formulas as JSON comes in, a list of pieces of a page goes out. A formula that KaTeX does not take ends it.
//
//   node katex.mjs < formulas.json > pieces.json
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const require = createRequire(import.meta.url)
// where Debian's package libjs-katex has it
const katex = require(process.env.HOLONOM_KATEX ?? '/usr/share/javascript/katex/katex.js')

const pieces = JSON.parse(readFileSync(0, 'utf8')).map(tex => {
    try {
        return katex.renderToString(tex, { output: 'html', throwOnError: true, strict: 'ignore' })
    } catch (error) {
        console.error(`katex.mjs: ${tex}: ${error.message}`)
        process.exit(1)
    }
})
process.stdout.write(JSON.stringify(pieces))
