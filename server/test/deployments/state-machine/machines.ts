import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { enrolAgent } from '../../../src/channels/agent/enrol-agent.ts'
import { putInventory } from '../../../src/channels/agent/inventory/put-inventory.ts'
import { postponeWork } from '../../../src/channels/agent/postpone-work.ts'
import { reportContact } from '../../../src/channels/agent/report-contact.ts'
import { reportOsInstallation } from '../../../src/channels/agent/report-os-installation.ts'
import { reportResult } from '../../../src/channels/agent/report-result.ts'
import { startWork } from '../../../src/channels/agent/start-work.ts'
import { diskScript } from '../../../src/channels/pxe/boot-script.ts'
import { getBootScript } from '../../../src/channels/pxe/get-boot-script.ts'
import { getInstallation } from '../../../src/channels/pxe/get-installation.ts'
import { reportInstallation } from '../../../src/channels/pxe/report-installation.ts'
import { endOffers } from '../../../src/features/deployments/jobs/end-offers.ts'
import { allowComputerReEnrolment } from '../../../src/features/enrolment/api/allow-computer-re-enrolment.ts'
import { contact, enrolment, result } from '../../channels/agent/agent-world.ts'
import { tokenIn } from '../../channels/pxe/boot-world.ts'
import { exampleContent } from '../../inventory/inventory-world.ts'
import type { Contact, Report } from './agents.ts'
import type { EndOfInstallation, InstallerReport } from './boot.ts'
import type { Objects } from './objects.ts'
import { kindOf, type System, systems } from './packages.ts'

/** What agents, firmware and installers ask and report, and what time does. */
export function machinesOf(objects: Objects) {
  const { world, agents, runIds, identities, packageRows, groupIds, computerId, packageId, packageOf, itself, runId } =
    objects
  const { as, db } = world
  const firmware = world.withToken(undefined)
  /** The token of the boot script that a computer got last. */
  const tokens: (string | undefined)[] = []

  return {
    async reportSystem(computer: number, system: System) {
      const item = exampleContent('system', { ...systems[system], osEdition: null, osVersion: null })
      const report = { hash: randomBytes(32).toString('hex'), collectedUtc: '2026-03-14T09:00:00Z', item }
      return (await itself(computer).call(putInventory, { body: { sections: { system: report } } })).status
    },
    async contact(computer: number, { isNewRun, hasNoLeasedWork, isPreOs, wants }: Contact) {
      if (isNewRun) runIds[computer] = randomUUID()
      const body = {
        ...contact(),
        runId: runId(computer),
        emptyHanded: hasNoLeasedWork,
        environment: isPreOs ? ('PreOs' as const) : ('OperatingSystem' as const),
        wants: wants.map(packageId),
      }
      const { work, offers } = (await itself(computer).call(reportContact, { body })).body
      return { work, offers: offers.map((offer) => packageOf(offer.packageId)) }
    },
    async start(computer: number, workId: number, attempt: number) {
      const input = { params: { workId }, body: { attempt, runId: runId(computer) } }
      const { status, problem } = await itself(computer).call(startWork, input)
      return problem ?? status
    },
    async report(computer: number, workId: number, attempt: number, report: Report) {
      const input = { params: { workId }, body: { ...result(), attempt, ...report } }
      return (await itself(computer).call(reportResult, input)).body
    },
    async postpone(computer: number, workId: number, attempt: number) {
      const untilUtc = new Date(Date.now() + 3_600_000).toISOString()
      const answer = await itself(computer).call(postponeWork, { params: { workId }, body: { attempt, untilUtc } })
      return answer.problem ?? answer.body.remaining
    },
    async expireLeases(computer: number) {
      await sql`
        update work set leased_until = now() - interval '1 second'
        where computer_id = ${computerId(computer)} and state = 'Leased'`.execute(db)
    },
    async endRetryDelays(computer: number) {
      await sql`
        update work set not_before = now() - interval '1 second'
        where computer_id = ${computerId(computer)} and state in ('Due', 'Leased')`.execute(db)
    },
    async passOfferDates() {
      await sql`
        update work set optional_date = now() - interval '1 second'
        where computer_id = any(${agents.map(({ id }) => id)}::integer[]) and optional_date is not null`.execute(db)
      await sql`
        update distribution_options set optional_date = now() - interval '1 second'
        where group_id = any(${groupIds}::uuid[]) and optional_date is not null`.execute(db)
    },
    async endOffers() {
      await endOffers(db)
    },
    async boot(computer: number) {
      const mac = identities[computer]?.mac_key ?? ''
      const script = (await firmware.call(getBootScript, { params: { mac } })).body
      if (script === diskScript) return null
      tokens[computer] = tokenIn(script)
      return {
        image: /\/boot\/files\/[^/]+\/boot\/(\w+)/.exec(script)?.[1],
        edition: /muster\.edition=(\S+)/.exec(script)?.[1] ?? null,
      }
    },
    async installation(computer: number) {
      const token = tokens[computer]
      if (!token) return undefined
      const answer = await firmware.call(getInstallation, { params: { token } })
      if (answer.problem) return answer.problem
      const { operatingSystem, preOsPackages, languagePacks } = answer.body
      return {
        edition: operatingSystem?.edition ?? null,
        preOs: preOsPackages.map((one) => packageOf(one.packageId)),
        languages: languagePacks.map((one) => packageOf(one.packageId)).toSorted(),
      }
    },
    async reportInstaller(computer: number, { status, preOs, languages }: InstallerReport) {
      const token = tokens[computer]
      if (!token) return null
      const preOsPackages = packageRows.flatMap(({ id }, one) =>
        preOs && kindOf(one) === 'PreOs' ? { packageId: id, status: preOs } : [],
      )
      const body = { status, preOsPackages, languagePacks: languages.map(packageId) }
      return (await firmware.call(reportInstallation, { params: { token }, body })).status
    },
    async enrol(computer: number) {
      const { code } = (
        await as('admin.manage').call(allowComputerReEnrolment, { params: { id: computerId(computer) }, body: {} })
      ).body
      const request = enrolment()
      const identity = { uuid: identities[computer]?.uuid ?? null, macAddress: identities[computer]?.mac_key ?? null }
      const { status, body } = await firmware.call(enrolAgent, {
        body: { ...request, token: code, computer: { ...request.computer, ...identity } },
      })
      agents[computer] = world.agentWith(body)
      runIds[computer] = randomUUID()
      return status
    },
    async reportSystemInstalled(computer: number, status: EndOfInstallation) {
      return (await itself(computer).call(reportOsInstallation, { body: { status, message: null } })).status
    },
  }
}
