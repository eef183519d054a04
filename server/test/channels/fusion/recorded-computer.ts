import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A recorded message of a real agent. Long ones are compressed: `zless` shows them. */
export function sample(name: string): Buffer {
  const file = join(import.meta.dirname, 'samples', name)
  return existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`))
}

/** The report as if another computer had sent it: with another id, name and MAC address. */
export function fromComputer(report: string, name: string, mac = macOf(name)): string {
  return report
    .replaceAll(/vm-2026-11-1\d-\d\d-\d\d-\d\d/g, `${name}-2026-11-15-01-02-03`)
    .replaceAll('<NAME>vm</NAME>', `<NAME>${name}</NAME>`)
    .replaceAll('"name": "vm"', `"name": "${name}"`)
    .replaceAll(recordedMac, mac)
}

export const deviceIdOf = (name: string) => `${name}-2026-11-15-01-02-03`

/** The MAC address of the computer on which the samples were recorded. */
const recordedMac = '02:fc:00:00:00:01'

function macOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return ['06', ...(digits.match(/../g) ?? [])].join(':')
}
