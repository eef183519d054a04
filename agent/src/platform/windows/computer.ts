import { toFirmwareUuid } from '../common/computer.ts'
import { cleanText } from '../common/texts.ts'
import type { Computer } from '../reports.ts'
import { mainAddress } from './inventory/network-adapters.ts'
import { questions } from './inventory/questions.ts'
import { askOnce, type WindowsSources } from './inventory/sources.ts'
import { toOperatingSystem } from './inventory/system.ts'
import { textOf } from './inventory/values.ts'
import { openAccess } from './inventory/windows-access.ts'

/** Each question asks its sources again, because the network and the domain may change meanwhile. */
const fresh = () => askOnce(openAccess())

export const computer: Computer = {
  async name() {
    const [row] = (await fresh().rows(questions.computerSystem)) ?? []
    const name = textOf(row?.DNSHostName) ?? textOf(row?.Name) ?? process.env.COMPUTERNAME ?? 'localhost'
    const domain = row?.PartOfDomain === true ? textOf(row.Domain) : null
    return { name, domain: domain ?? undefined }
  },
  async firmwareUuid() {
    const [row] = (await fresh().rows(questions.product)) ?? []
    return toFirmwareUuid(textOf(row?.UUID) ?? '')
  },
  async mainInterface() {
    const sources = fresh()
    const [routes, adapters, addresses] = [
      (await sources.rows(questions.routes)) ?? [],
      (await sources.rows(questions.adapters)) ?? [],
      (await sources.rows(questions.addresses)) ?? [],
    ]
    return mainAddress(routes, { adapters, addresses })
  },
  async systemNames() {
    const { operatingSystem, osName, osEdition, osVersion } = await systemOf(fresh())
    const withEdition = osName && osEdition ? `${osName} ${osEdition}` : null
    const names = [osName, withEdition, operatingSystem, osVersion && `Windows ${osVersion}`]
    return ['Windows', ...new Set(names.filter((name) => name !== null))]
  },
  systemTitle: async () => (await systemOf(fresh())).operatingSystem ?? 'Windows',
  productName: async () => (await systemOf(fresh())).osName ?? 'Windows',
}

async function systemOf(sources: WindowsSources) {
  const [row] = (await sources.rows(questions.operatingSystem)) ?? []
  const system = toOperatingSystem(row ?? {}, undefined)
  return { ...system, operatingSystem: cleanText(system.operatingSystem?.replace(/^Microsoft /, '')) }
}
