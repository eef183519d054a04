import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { sample } from '../server/test/channels/fusion/recorded-computer.ts'

export type Device = { name: string; revision: number }

const recorded = sample('fi-inventory-request.xml').toString()
const recordedProlog = sample('fi-prolog-request.xml').toString()
const recordedPartial = sample('glpi-inventory-partial-request.json').toString()

/** The packages of an inventory, and those whose version changes with each revision. */
export const packagesPerInventory = { all: 803, revised: 40 }

/** The number of versions of a package in the fleet. Computers differ in their combinations of versions. */
const variants = 12

/** The PROLOG request that a computer sends before its first inventory. */
export function prologOf({ name }: Device): Buffer {
  return deflateSync(replaceDevice(recordedProlog, name))
}

/** The recorded inventory, changed to that of another computer. `run` fills fields that the service ignores. */
export function inventoryOf({ name, revision }: Device, run = 'first'): Buffer {
  let packages = 0
  const xml = replaceDevice(recorded, name)
    .replaceAll(/<VERSION>([^<]+)<\/VERSION>\n {4}<\/SOFTWARES>/g, (whole, version: string) =>
      packages++ % 20 === 0 && packages <= packagesPerInventory.revised * 20
        ? whole.replace(version, `${version}+${variantOf(name, packages)}+revision${revision}`)
        : whole,
    )
    .replace(/<LOGDATE>[^<]+/, `<LOGDATE>${run}`)
    .replaceAll('(redacted)', `command of ${run}`)
  return deflateSync(xml)
}

/** The recorded partial inventory, changed to that of another computer: its disk is nearly full. */
export function partialOf({ name }: Device, at: number): Buffer {
  return deflateSync(replaceDevice(recordedPartial, name).replace(/"free": \d+/, `"free": ${1000 + at}`))
}

function replaceDevice(report: string, name: string): string {
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
