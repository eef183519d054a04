// Verifies the Node that npm has installed for this project. The lock file has no hash of it: the package `node` fetches a
// package for the platform when it is installed. Runs with the Node of the machine, of any version, because a program that
// was replaced would not report itself.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const known = JSON.parse(readFileSync(new URL('node-programs.json', import.meta.url), 'utf8'))
const platform = `${process.platform}-${process.arch}`
const program = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
const expected = known.sha256[platform]

if (expected === undefined)
  console.warn(`No hash of Node ${known.version} for ${platform} is known, so the installed one was not verified.`)
else {
  const sha256 = createHash('sha256').update(readFileSync(program)).digest('hex')
  if (sha256 !== expected) {
    rmSync(program)
    console.error(
      `node_modules/node is not Node ${known.version} for ${platform}: its SHA-256 is ${sha256}, not ${expected}. ` +
        'It was deleted. Install again from a registry that you trust.',
    )
    process.exit(1)
  }
}
