import { cleanText, firmwareText, whole } from '../../common/texts.ts'
import type { WmiRow, WmiValue } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { WindowsSources } from './sources.ts'
import { numberOf, textOf, wholeOf } from './values.ts'

export async function collectBatteries(sources: WindowsSources) {
  const batteries = await sources.rows(questions.batteries)
  if (!batteries) return undefined
  const design = (await sources.rows(questions.batteryDesign)) ?? []
  const items = toBatteries(batteries, design, (await sources.rows(questions.batteryCapacity)) ?? [])
  // Charging and discharging is not a change worth reporting.
  return { items, hashed: items.map(({ batteryStatus: _, ...lasting }) => lasting) }
}

const statusNames: Record<number, string> = {
  ...{ 1: 'Discharging', 2: 'Not charging', 3: 'Full', 4: 'Discharging', 5: 'Discharging', 6: 'Charging' },
  ...{ 7: 'Charging', 8: 'Charging', 9: 'Charging', 11: 'Partially charged' },
}

const chemistryNames: Record<number, string> = {
  ...{ 3: 'Lead-acid', 4: 'Nickel-cadmium', 5: 'Nickel-metal hydride', 6: 'Lithium-ion', 7: 'Zinc-air' },
  8: 'Lithium-polymer',
}

/** Four letters that the battery states of itself. */
const chemistryOfLetters: Record<string, string> = {
  ...{ LION: 'Lithium-ion', 'LI-I': 'Lithium-ion', LIP: 'Lithium-polymer', LIPO: 'Lithium-polymer' },
  ...{ NIMH: 'Nickel-metal hydride', NICD: 'Nickel-cadmium', PBAC: 'Lead-acid' },
}

/** The two classes list the same batteries in the same order. The capacities are in the driver, not in the first class. */
export function toBatteries(batteries: readonly WmiRow[], design: readonly WmiRow[], capacities: readonly WmiRow[]) {
  return batteries.map((battery, index) => {
    const own = design[index]
    const capacity = capacities.find(({ InstanceName }) => InstanceName === own?.InstanceName)
    const designed = wholeOf(own?.DesignedCapacity) ?? wholeOf(battery.DesignCapacity)
    const full = wholeOf(capacity?.FullChargedCapacity) ?? wholeOf(battery.FullChargeCapacity)
    const name = firmwareText(textOf(own?.DeviceName)) ?? firmwareText(textOf(battery.Name))
    const maker = [own?.ManufactureName, own?.DeviceName, own?.SerialNumber].map((text) => firmwareText(textOf(text)))
    return {
      name,
      chemistry: lettersOf(own?.Chemistry) ?? chemistryNames[numberOf(battery.Chemistry) ?? 0] ?? null,
      deviceId: cleanText(maker.filter(Boolean).join('-')) ?? textOf(battery.DeviceID),
      batteryStatus: statusNames[numberOf(battery.BatteryStatus) ?? 0] ?? null,
      designedCapacityMwh: designed,
      fullChargedCapacityMwh: full,
      remainingCapacityPercent: designed && full ? whole((100 * full) / designed) : null,
    }
  })
}

function lettersOf(chemistry: WmiValue | undefined): string | undefined {
  if (typeof chemistry !== 'number' || chemistry <= 0) return undefined
  const letters = Buffer.alloc(4)
  letters.writeUInt32LE(chemistry)
  const text = letters.toString('latin1').replaceAll('\0', '').trim().toUpperCase()
  return chemistryOfLetters[text] ?? cleanText(text, 100) ?? undefined
}
