import { cleanText, firmwareText, whole } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

const supplies = '/sys/class/power_supply'

export async function collectBatteries(system: SystemAccess) {
  const names = await system.names(supplies)
  const found = await Promise.all(names.map((name) => battery(system, name)))
  const items = found.filter((one) => one !== undefined)
  // Charging and discharging is not a change worth reporting.
  return { items, hashed: items.map(({ batteryStatus: _, ...lasting }) => lasting) }
}

async function battery(system: SystemAccess, name: string) {
  const read = (file: string) => system.text(`${supplies}/${name}/${file}`)
  // Batteries of peripherals do not belong to the computer.
  if ((await read('type')) !== 'Battery' || (await read('scope')) === 'Device') return undefined
  const number = async (file: string) => whole64(await read(file))
  const volts = (await number('voltage_min_design')) ?? (await number('voltage_now'))
  const capacity = async (kind: 'full' | 'full_design') => {
    const energy = await number(`energy_${kind}`)
    if (energy !== null) return whole(energy / 1e3)
    const charge = await number(`charge_${kind}`)
    return charge === null || volts === null ? null : whole((charge * volts) / 1e9)
  }
  const [designed, full] = [await capacity('full_design'), await capacity('full')]
  const maker = [await read('manufacturer'), await read('model_name'), await read('serial_number')]
  return {
    name: firmwareText(maker[1]) ?? name,
    chemistry: firmwareText(await read('technology'), 100),
    deviceId:
      cleanText(
        maker
          .map((text) => firmwareText(text))
          .filter(Boolean)
          .join('-'),
      ) ?? name,
    batteryStatus: firmwareText(await read('status'), 100),
    designedCapacityMwh: designed,
    fullChargedCapacityMwh: full,
    remainingCapacityPercent: designed && full ? whole((100 * full) / designed) : null,
  }
}

function whole64(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null
}
