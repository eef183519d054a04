import { cleanText, fieldsOf, whole } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

type Fields = Record<string, string | undefined>

export async function collectProcessors(system: SystemAccess) {
  const blocks = ((await system.text('/proc/cpuinfo')) ?? '').split(/\n\s*\n/).map((block) => fieldsOf(block, ':'))
  const threads = blocks.filter((block) => block.processor !== undefined)
  const sockets = [...Map.groupBy(threads, (thread) => thread['physical id'] ?? '0').values()]
  const [max, base, measured] = await frequencies(system)
  const named = threads.some((thread) => thread['model name'])
  const listed = named ? {} : await listedFields(system)
  const items = sockets.map((socket) => {
    const first: Fields = { ...listed, ...socket[0] }
    const name = cleanText(first['model name'] ?? first['Model name'] ?? first.Hardware)
    const nominal = whole(/@ ([\d.]+)GHz/.exec(name ?? '')?.map((part) => Number(part) * 1000)[1])
    const running = measured ? null : whole(first['cpu MHz'])
    return {
      name,
      manufacturer: cleanText(first.vendor_id ?? first['Vendor ID']),
      processorId: signature(first),
      numberOfCores: whole(first['cpu cores']) ?? (new Set(socket.map((one) => one['core id'])).size || null),
      numberOfLogicalProcessors: socket.length,
      maxClockSpeedMhz: max ?? nominal ?? running,
      // The current clock changes with every reading; the nominal speed does not.
      currentClockSpeedMhz: base ?? nominal ?? running,
    }
  })
  return { items }
}

/** The maximum and the base frequency, and whether the clock is scaled at all. */
async function frequencies(system: SystemAccess): Promise<[number | null, number | null, boolean]> {
  const folder = '/sys/devices/system/cpu/cpu0/cpufreq'
  const megahertz = async (name: string) => {
    const kilohertz = await system.text(`${folder}/${name}`)
    return kilohertz ? whole(Number(kilohertz) / 1000) : null
  }
  const regulated = (await system.names(folder)).length > 0
  return [await megahertz('cpuinfo_max_freq'), await megahertz('base_frequency'), regulated]
}

/** ARM processors have no name in /proc; lscpu derives it from their part numbers. */
async function listedFields(system: SystemAccess): Promise<Fields> {
  return fieldsOf(await system.output('lscpu'), ':')
}

/** The result of the CPUID instruction: stepping, model and family, packed. */
function signature(fields: Fields): string | null {
  const [family, model, stepping] = [fields['cpu family'], fields.model, fields.stepping].map(whole)
  if (typeof family !== 'number' || typeof model !== 'number' || typeof stepping !== 'number') return null
  const [base, extended] = family > 15 ? [15, family - 15] : [family, 0]
  const packed = stepping | ((model & 15) << 4) | (base << 8) | ((model >> 4) << 16) | (extended << 20)
  return packed.toString(16).toUpperCase().padStart(8, '0')
}
