import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

export type Device = { name: string; revision: number }

const samples = join(import.meta.dirname, '../test/channels/fusion/samples')
const recorded = readFileSync(join(samples, 'fi-inventory-request.xml'), 'utf8')
const recordedProlog = readFileSync(join(samples, 'fi-prolog-request.xml'), 'utf8')
const recordedPartial = readFileSync(join(samples, 'glpi-inventory-partial-request.json'), 'utf8')

/** How many packages an inventory has, and how many of them are of another version in each revision. */
export const packagesOfEach = { all: 803, revised: 40 }

/** In how many versions a fleet has a package. No two computers have the same ones of all of them. */
const variants = 12

/** By which a computer is greeted before it sends its first inventory. */
export function prologOf({ name }: Device): Buffer {
  return deflateSync(ofDevice(recordedProlog, name))
}

/** The recorded inventory as another computer would send it. What `moment` says is of no interest to anybody. */
export function inventoryOf({ name, revision }: Device, moment = 'first'): Buffer {
  let packages = 0
  const xml = ofDevice(recorded, name)
    .replaceAll(/<VERSION>([^<]+)<\/VERSION>\n {4}<\/SOFTWARES>/g, (whole, version: string) =>
      packages++ % 20 === 0 && packages <= packagesOfEach.revised * 20
        ? whole.replace(version, `${version}+${variantOf(name, packages)}+revision${revision}`)
        : whole,
    )
    .replace(/<LOGDATE>[^<]+/, `<LOGDATE>${moment}`)
    .replaceAll('(redacted)', `command of ${moment}`)
  return deflateSync(xml)
}

/** Of the recorded one with changes only: the disk is nearly full. */
export function partialOf({ name }: Device, at: number): Buffer {
  return deflateSync(ofDevice(recordedPartial, name).replace(/"free": \d+/, `"free": ${1000 + at}`))
}

function ofDevice(report: string, name: string): string {
  return report
    .replaceAll(/vm-2026-11-1\d-\d\d-\d\d-\d\d/g, `${name}-2026-11-15-01-02-03`)
    .replaceAll('<NAME>vm</NAME>', `<NAME>${name}</NAME>`)
    .replaceAll('"name": "vm"', `"name": "${name}"`)
    .replaceAll('02:fc:00:00:00:01', macOf(name))
}

function variantOf(name: string, position: number): number {
  return createHash('sha256').update(`${name} ${position}`).digest().readUInt16LE() % variants
}

function macOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return ['06', ...(digits.match(/../g) ?? [])].join(':')
}
