import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { checkDocument } from '../../src/features/patches/catalog/check-document.ts'
import { csafSchema } from '../../src/features/patches/catalog/csaf-schema.ts'
import { createVulnerabilityException } from '../../src/features/vulnerabilities/api/create-vulnerability-exception.ts'
import { exportCsafVex } from '../../src/features/vulnerabilities/api/export-csaf-vex.ts'
import { exportVex } from '../../src/features/vulnerabilities/api/export-vex.ts'
import { getVulnerability } from '../../src/features/vulnerabilities/api/get-vulnerability.ts'
import { importVex } from '../../src/features/vulnerabilities/api/import-vex.ts'
import { listVulnerabilityExceptions } from '../../src/features/vulnerabilities/api/list-vulnerability-exceptions.ts'
import { openVulnerabilityWorld } from './vulnerability-world.ts'

const { as, db, given, vulnerabilityOfTwoPackages } = await openVulnerabilityWorld()
const reader = as('pm.read', 'computer.read')
const approver = as('pm.approve', 'pm.read')

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)

const except = async (key: string, body: object) =>
  approver.call(createVulnerabilityException, {
    params: { key },
    body: { status: 'NotAffected', reason: 'Not reachable', ...body } as never,
  })

const importOf = (document: object, scope: object = {}) =>
  approver.call(importVex, { body: { document: document as Record<string, unknown>, ...scope } })

const openComputersOf = async (key: string) =>
  (await reader.call(getVulnerability, { params: { key } })).body.openComputers

const exceptionsOf = async (vulnerability: string) =>
  (await reader.call(listVulnerabilityExceptions, { query: { vulnerability, isInForce: true } })).body.items

const withdrawAll = () => sql`delete from vulnerability_exceptions`.execute(db)

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Exceptions without what each copy of them has of its own. */
const contentOf = (items: Awaited<ReturnType<typeof exceptionsOf>>) =>
  items
    .map(({ id: _, createdUtc: __, ...content }) => content)
    .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))

const cyclonedx = (
  key: string,
  ref: string,
  analysis: object = { state: 'not_affected', detail: 'Built without it' },
) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  vulnerabilities: [{ id: key, analysis, affects: [{ ref }] }],
})

test('exceptions are the same after a way through each format, in a document that is valid', async () => {
  await withdrawAll()
  const first = await vulnerabilityOfTwoPackages()
  const second = await vulnerabilityOfTwoPackages()
  await except(first.key, { status: 'FalsePositive' })
  await except(second.key, { package: second.names[0], platform: 'debian-12', packageVersion: '1:1.0-1' })
  await except(second.key, {
    package: second.names[1],
    platform: 'debian',
    status: 'FalsePositive',
    packageVersion: '2',
  })
  await except(second.key, { status: 'Accepted', expiresUtc: inDays(30) })
  const all = async () => contentOf([...(await exceptionsOf(first.key)), ...(await exceptionsOf(second.key))])
  const before = await all()
  const { body: vex } = await reader.call(exportVex, { query: {} })
  const { body: csaf } = await reader.call(exportCsafVex, { query: {} })

  expect(await validator.validate(JSON.stringify(vex))).toBeNull()
  checkDocument(csafSchema, JSON.parse(JSON.stringify(csaf)))
  for (const document of [vex, csaf]) {
    await withdrawAll()
    const { body } = await importOf(JSON.parse(JSON.stringify(document)))
    expect(body).toEqual({ created: 4, unchanged: 0, ignored: 0, refused: 0, faults: [] })
    expect(await all()).toEqual(before.map((content) => ({ ...content, approvedBy: expect.any(String) })))
    const { body: again } = await importOf(JSON.parse(JSON.stringify(document)))
    expect(again).toMatchObject({ created: 0, unchanged: 4 })
  }
})

test('the document in CSAF says of each product why it is not affected, or what is done', async () => {
  await withdrawAll()
  const { key, names } = await vulnerabilityOfTwoPackages()
  await except(key, { package: names[0], platform: 'debian-12', status: 'FalsePositive' })
  await except(key, { package: names[1], platform: 'debian-12', status: 'Accepted', expiresUtc: inDays(3) })

  const { body: csaf } = await reader.call(exportCsafVex, { query: {} })

  expect(csaf.document.category).toBe('csaf_vex')
  const [vulnerability] = csaf.vulnerabilities
  const [absent, accepted] = names.map((name) => `pkg:deb/debian/${name}?distro=debian-12`)
  expect(vulnerability).toMatchObject({
    cve: key,
    product_status: { known_not_affected: [absent], known_affected: [accepted] },
    flags: [{ label: 'vulnerable_code_not_present', product_ids: [absent] }],
    threats: [{ category: 'impact', product_ids: [absent] }],
    remediations: [{ category: 'no_fix_planned', product_ids: [accepted] }],
  })
  expect(csaf.product_tree.full_product_names.map(({ product_id }) => product_id)).toEqual([absent, accepted])
})

test('a document for a group or a computer has what covers all of it, and becomes exceptions for another one', async () => {
  await withdrawAll()
  const { key, computer } = await vulnerabilityOfTwoPackages()
  const [parent, other] = [await given.group(), await given.group()]
  const child = await given.group({ parent })
  await given.member(child, computer)
  await except(key, { groupId: parent.id })

  const documents = [
    await reader.call(exportVex, { query: { groupId: child.id } }),
    await reader.call(exportVex, { query: { computerId: computer.id } }),
    await reader.call(exportVex, { query: { groupId: other.id } }),
    await reader.call(exportVex, { query: {} }),
  ]
  const [{ body: ofChild }] = documents as [(typeof documents)[number]]
  const { body: imported } = await importOf(JSON.parse(JSON.stringify(ofChild)), { groupId: other.id })

  expect(documents.map(({ body }) => body.vulnerabilities.length)).toEqual([1, 1, 0, 0])
  expect(imported.created).toBe(1)
  expect((await exceptionsOf(key)).map(({ groupId }) => groupId).sort()).toEqual([parent.id, other.id].sort())
})

test('a statement of a vendor covers the package and the version that it names, and nothing else', async () => {
  const { key, names, purlOf } = await vulnerabilityOfTwoPackages()

  const { body: wrongVersion } = await importOf(cyclonedx(key, purlOf(names[0]).replace('1:1.0-1', '1:1.0-2')))
  const afterOther = await openComputersOf(key)
  const { body } = await importOf({
    ...cyclonedx(key, 'first'),
    components: [
      { 'bom-ref': 'app', name: 'app', components: [{ 'bom-ref': 'first', name: names[0], purl: purlOf(names[0]) }] },
    ],
  })
  const afterFirst = await openComputersOf(key)
  await importOf(cyclonedx(key, purlOf(names[1]), { state: 'false_positive' }))

  expect([wrongVersion.created, body.created]).toEqual([1, 1])
  expect([afterOther, afterFirst]).toEqual([1, 1])
  expect(await openComputersOf(key)).toBe(0)
})

const csafOf = (vulnerability: object, purl?: string) => ({
  document: {
    category: 'csaf_vex',
    csaf_version: '2.0',
    publisher: { category: 'vendor', name: 'Example', namespace: 'https://example.org' },
    title: 'Statement',
    tracking: {
      id: 'EX-1',
      status: 'final',
      version: '1',
      initial_release_date: '2026-01-01T00:00:00Z',
      current_release_date: '2026-01-01T00:00:00Z',
      revision_history: [{ date: '2026-01-01T00:00:00Z', number: '1', summary: 'First' }],
    },
  },
  product_tree: {
    branches: [
      {
        category: 'vendor',
        name: 'Example',
        branches: [
          {
            category: 'product_version',
            name: 'one',
            product: { name: 'one', product_id: 'P1', ...(purl && { product_identification_helper: { purl } }) },
          },
        ],
      },
    ],
  },
  vulnerabilities: [vulnerability],
})

test('a statement in CSAF counts with its impact as the reason, and what is affected is no decision', async () => {
  const { key, names, purlOf } = await vulnerabilityOfTwoPackages()
  const impact = [{ category: 'impact', details: 'Compiled without it', product_ids: ['P1'] }]

  const { body } = await importOf(
    csafOf({ cve: key, product_status: { known_not_affected: ['P1'] }, threats: impact }, purlOf(names[0])),
  )
  const { body: affected } = await importOf(
    csafOf(
      {
        cve: key,
        product_status: { known_affected: ['P1'] },
        remediations: [{ category: 'no_fix_planned', details: 'Out of support', product_ids: ['P1'] }],
      },
      purlOf(names[1]),
    ),
  )
  const { body: unnamed } = await importOf(csafOf({ cve: key, product_status: { known_not_affected: ['P1'] } }))

  expect(body).toMatchObject({ created: 1 })
  expect(affected).toMatchObject({ created: 0, ignored: 1 })
  expect(unnamed).toMatchObject({ created: 0, refused: 1 })
  expect(await exceptionsOf(key)).toMatchObject([
    { status: 'NotAffected', reason: 'Compiled without it', package: names[0], packageVersion: '1:1.0-1' },
  ])
})

test('a statement that cannot be taken over is refused by its place, and the others count', async () => {
  const { key, names, purlOf } = await vulnerabilityOfTwoPackages()
  const entry = (ref: string, analysis: object = { state: 'not_affected' }, others: object = {}) => ({
    ...{ id: key, analysis, affects: [{ ref }] },
    ...others,
  })
  const until = (value: string) => ({ properties: [{ name: 'muster:acceptedUntil', value }] })
  const accepted = { state: 'exploitable', response: ['will_not_fix'] }

  const { body } = await importOf({
    bomFormat: 'CycloneDX',
    vulnerabilities: [
      entry('pkg:gem/left-pad@1.0.0'),
      entry(`pkg:deb/debian/${names[0]}`),
      entry('pkg:deb/devuan/a@1?distro=devuan-5'),
      entry('the application of somebody'),
      entry('muster:computers', accepted, until('2020-01-01T00:00:00Z')),
      entry('muster:computers', accepted, until('soon')),
      { analysis: { state: 'not_affected' }, affects: [{ ref: 'muster:computers' }] },
      entry('muster:computers', { state: 'in_triage' }),
      entry('muster:computers', accepted),
      'not even an object',
      { ...entry('muster:computers'), id: 'CVE-1999-0001' },
      entry(purlOf(names[0])),
    ],
  })

  expect(body).toMatchObject({ created: 1, unchanged: 0, ignored: 4, refused: 7 })
  expect(body.faults.map(({ at }) => at)).toEqual([
    ...['vulnerabilities.0.affects.0', 'vulnerabilities.1.affects.0', 'vulnerabilities.2.affects.0'],
    ...['vulnerabilities.3.affects.0', 'vulnerabilities.5', 'vulnerabilities.6', key],
  ])
  expect(await exceptionsOf(key)).toHaveLength(1)
})

test('what is no document of either format is refused, and needs an existing scope', async () => {
  const { key, names, purlOf, computer } = await vulnerabilityOfTwoPackages()
  const document = cyclonedx(key, purlOf(names[0]))
  const group = await given.group()

  const answers = [
    await importOf({}),
    await importOf({ bomFormat: 'CycloneDX', components: [] }),
    await importOf({ document: {} }),
    await importOf(document, { groupId: group.id, computerId: computer.id }),
    await importOf(document, { computerId: 2_000_000_000 }),
    await importOf(document, { groupId: '00000000-0000-4000-8000-000000000000' }),
    await reader.call(exportVex, { query: { groupId: '00000000-0000-4000-8000-000000000000' } }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 404, 404])
  expect(await exceptionsOf(key)).toEqual([])
})

test('without an exception there is no document in CSAF, which needs a vulnerability', async () => {
  await withdrawAll()

  const { status, problem } = await reader.call(exportCsafVex, { query: {} })

  expect([status, problem]).toEqual([404, 'NoExceptionInForce'])
})
