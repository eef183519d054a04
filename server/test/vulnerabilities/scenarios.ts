import { randomInt } from 'node:crypto'
import { enqueue } from '../../src/jobs/enqueue.ts'
import type { Scenario } from '../world/scenario.ts'

type Parts = Parameters<Scenario>[0]

async function vulnerability({ db }: Pick<Parts, 'db'>) {
  const key = `CVE-2026-${randomInt(1_000_000_000)}`
  return db.insertInto('vulnerabilities').values({ key }).returning(['id', 'key']).executeTakeFirstOrThrow()
}

async function exception(parts: Pick<Parts, 'db'>) {
  const { id: vulnerability_id } = await vulnerability(parts)
  const decided = { vulnerability_id, status: 'NotAffected', reason: 'Not reachable', approved_by: 'a' }
  return parts.db.insertInto('vulnerability_exceptions').values(decided).returning('id').executeTakeFirstOrThrow()
}

const vexAbout = (id: string) => ({
  bomFormat: 'CycloneDX',
  vulnerabilities: [{ id, analysis: { state: 'not_affected' }, affects: [{ ref: 'muster:computers' }] }],
})

const onVulnerability: Scenario = async (parts) => ({ params: { key: (await vulnerability(parts)).key } })

export const vulnerabilitiesScenarios: Record<string, Scenario> = {
  getVulnerability: onVulnerability,
  listVulnerableComputers: onVulnerability,
  listComputerVulnerabilities: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  getComputerSbom: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  getVulnerabilityImport: async ({ db }) => ({
    params: { trackingId: await enqueue(db, { queue: 'vulnerability-import', subject: 'kev', input: {} }) },
  }),
  createVulnerabilityException: async (parts) => ({
    params: { key: (await vulnerability(parts)).key },
    body: { status: 'NotAffected', reason: 'Not reachable' },
  }),
  exportCsafVex: async (parts) => {
    await exception(parts)
    return {}
  },
  importVex: async (parts) => ({ body: { document: vexAbout((await vulnerability(parts)).key) } }),
  deleteVulnerabilityException: async (parts) => {
    const { id } = await exception(parts)
    return { params: { id } }
  },
}
