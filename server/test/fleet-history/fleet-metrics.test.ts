import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFleetSnapshot } from '../../src/features/fleet-history/gauges.ts'
import { refreshFleetGauges } from '../../src/features/fleet-history/refresh-gauges.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { getMetrics } from '../../src/features/service/api/get-metrics.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { sequenceAll } from '../events/read-log.ts'
import { since } from '../issues/fleet-model.ts'
import { openIssuesWorld } from '../issues/issues-world.ts'

const { as, db, deployment, given, withToken, work } = await openIssuesWorld()
const examples = join(import.meta.dirname, '../../../examples/monitoring')
let metrics = ''

beforeAll(async () => {
  const one = await given.package({ name: 'Editor', version: '1.0' })
  const failing = await given.computer({ lastSeen: since(1) })
  await deployment(failing, one, { result: 'Failed' })
  await work(failing, one, { state: 'Failed' })
  await work(failing, await given.package(), { created_at: since(3), not_before: since(2) })
  await work(failing, await given.package(), { created_at: since(200), state: 'Leased' })
  await db
    .insertInto('background_jobs')
    .values({ queue: 'package-import', subject: 'Editor', input: '{}', requested_at: since(1) })
    .execute()
  await refreshFleetStatistics(db)
  await refreshFleetGauges(db)
  await as('computer.read').call(whoAmI)
  await as('computer.read').send({ method: 'GET', url: '/no/such/path/by-nobody' })
  metrics = (await as('admin.manage').call(getMetrics)).body
})

const sampleValue = (sample: string) =>
  Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length),
  )

test('metrics show agents, issues, work by state and age, failures by package, and waiting jobs', () => {
  expect(sampleValue('muster_computers')).toBe(1)
  expect(sampleValue('muster_agents{status="Reporting"}')).toBe(1)
  expect(sampleValue('muster_issues{issue="failed-deployment"}')).toBe(1)
  expect(sampleValue('muster_work_items{state="failed"}')).toBe(1)
  expect(sampleValue('muster_open_work_items{state="Due",age="UpTo1Day"}')).toBe(1)
  expect(sampleValue('muster_open_work_items{state="Leased",age="Older"}')).toBe(1)
  expect(Math.round(sampleValue('muster_oldest_work_seconds{state="Due"}') / 3_600)).toBe(2)
  expect(sampleValue('muster_failed_deployments{package="Editor 1.0"}')).toBe(1)
  expect(sampleValue('muster_jobs{queue="package-import",status="Pending"}')).toBe(1)
  expect(Math.round(sampleValue('muster_oldest_job_seconds{queue="package-import",status="Pending"}') / 3_600)).toBe(1)
})

test('metrics show for how long events have waited for the log, and for the slowest webhook that is not paused', async () => {
  const principal = await given.localPrincipal({ roles: ['admin.manage'] })
  await sql`insert into event_outbox (type, subject, occurred_at, data)
    values ('muster.computer.created', '/api/computer/1', now() - interval '1 hour', '{}')`.execute(db)
  await sequenceAll(db)
  const webhook = (name: string, isPaused: boolean, position: number) =>
    sql`insert into webhooks (name, url, principal_id, is_paused, position)
      values (${name}, 'https://example.org', ${principal.id}, ${isPaused}, ${position})`.execute(db)
  const { rows } = await sql<{ position: number }>`select min(position)::integer as position from events
    where occurred_at < now() - interval '50 minutes'`.execute(db)
  await webhook('Slow', false, (rows[0]?.position ?? 0) - 1)
  await webhook('Paused', true, 0)

  const delivering = await readFleetSnapshot(db)
  await sql`insert into event_outbox (type, subject, occurred_at, data)
    values ('muster.computer.created', '/api/computer/1', now() - interval '2 hours', '{}')`.execute(db)
  await sql`update webhooks set is_paused = true`.execute(db)
  const writing = await readFleetSnapshot(db)

  expect([delivering.eventLagSeconds, delivering.webhookLagSeconds / 3_600].map(Math.round)).toEqual([0, 1])
  expect([writing.eventLagSeconds / 3_600, writing.webhookLagSeconds].map(Math.round)).toEqual([2, 0])
})

test('requests are measured by the template of their route, including those without a route', () => {
  const count = 'muster_http_request_duration_seconds_count'

  expect(sampleValue(`${count}{operation="whoAmI",method="GET",route="/api/service/whoami",status="200"}`)).toBe(1)
  expect(metrics).not.toContain('by-nobody')
})

test('packages beyond the twentieth share one value', async () => {
  const computer = await given.computer()
  for (let count = 0; count < 21; count++) await deployment(computer, await given.package(), { result: 'Failed' })
  await sql`update fleet_gauges set calculated_at = calculated_at - interval '1 minute'`.execute(db)
  await refreshFleetGauges(db)

  const { gauges } = await readFleetSnapshot(db)

  expect(gauges?.failures).toHaveLength(21)
  expect(gauges?.failures).toContainEqual({ package: null, count: 2 })
})

test('nodes share one count, and reading metrics again counts nothing', async () => {
  await sql`update fleet_gauges set calculated_at = calculated_at - interval '1 minute'`.execute(db)

  const counted = await Promise.all([1, 2, 3].map(() => refreshFleetGauges(db)))
  await given.computer()
  const again = (await as('admin.manage').call(getMetrics)).body

  expect(counted.filter(Boolean)).toHaveLength(1)
  expect(again).toMatch(/^muster_computers 1$/m)
})

test('what is named like a counter is a counter, and no counter falls', async () => {
  const typesOf = (text: string) =>
    new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name ?? '', type]))
  const samples = (text: string) =>
    new Map(
      text
        .split('\n')
        .filter((line) => line && !line.startsWith('#'))
        .map((line) => {
          const at = line.lastIndexOf(' ')
          return [line.slice(0, at), Number(line.slice(at + 1))]
        }),
    )
  const types = typesOf(metrics)
  const isCumulative = (sample: string) => {
    const name = sample.replace(/\{.*/, '')
    return types.get(name) === 'counter' || types.get(name.replace(/_(bucket|count|sum)$/, '')) === 'histogram'
  }
  const before = [...samples(metrics)].filter(([sample]) => isCumulative(sample))

  const after = samples((await as('admin.manage').call(getMetrics)).body)

  const named = (isCounter: boolean) =>
    [...types].filter(([, type]) => (type === 'counter') === isCounter).map(([name]) => name)
  expect(named(true).filter((name) => !name.endsWith('_total'))).toEqual([])
  expect(named(false).filter((name) => /_(total|count|sum|bucket)$/.test(name))).toEqual([])
  expect(before.length).toBeGreaterThan(20)
  expect(before.filter(([sample, value]) => !((after.get(sample) ?? Number.NaN) >= value))).toEqual([])
})

type Rule = { alert: string; expr: string; for: string; annotations: { summary: string } }
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

const example = (name: string) => readFileSync(join(examples, name), 'utf8')
const rules = (parse(example('alert-rules.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
)
const { panels } = JSON.parse(example('grafana-dashboard.json')) as Dashboard

const expressions = [
  ...rules.map(({ alert, expr }) => ({ name: `the alert ${alert}`, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ name: `the panel ${title}`, expr }))),
]

describe('the examples for monitoring', () => {
  test.for(expressions)('$name uses metrics and labels that the service has', ({ expr }) => {
    const selectors = [...expr.matchAll(/\b(muster_\w+)(?:\{([^}]*)\})?/g)]

    expect(selectors.length).toBeGreaterThan(0)
    for (const [, name = '', matchers = ''] of selectors) {
      const samples = metrics.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      // Health checks run in a real service only.
      if (name === 'muster_health_check') expect(metrics).toContain(`# TYPE ${name} gauge`)
      else expect(samples, name).not.toEqual([])
      for (const [, label] of matchers.matchAll(/(\w+)=~?"/g))
        expect(samples[0], `${name} has the label ${label}`).toContain(`${label}="`)
    }
  })

  test.for(expressions)('$name groups by labels of its metric, and takes rates of counters only', ({ expr }) => {
    const [, name = ''] = /\b(muster_\w+)/.exec(expr) ?? []
    const sample = metrics.split('\n').find((line) => line.startsWith(`${name}{`)) ?? ''
    // What Prometheus adds itself. Health checks run in a real service only.
    const known = (label: string) =>
      label === 'instance' || sample.includes(`${label}="`) || (name === 'muster_health_check' && label === 'check')

    for (const [, labels = ''] of expr.matchAll(/\bby \(([^)]*)\)/g))
      expect(labels.split(', ').filter((label) => !known(label))).toEqual([])
    for (const [, rated = ''] of expr.matchAll(/\brate\(\s*(\w+)/g))
      expect(metrics).toMatch(
        new RegExp(`^# TYPE ${rated.replace(/_(bucket|count|sum)$/, '')} (counter|histogram)$`, 'm'),
      )
  })

  test('the configuration of Prometheus reads the metrics of a node with a metrics token, and the alert rules', async () => {
    type Prometheus = {
      rule_files: string[]
      scrape_configs: { scheme: string; metrics_path?: string; authorization: { credentials_file: string } }[]
    }
    const { rule_files, scrape_configs } = parse(example('prometheus.yml')) as Prometheus
    const created = await as('admin.manage').call(createLocalPrincipal, {
      body: { description: 'Prometheus', roles: ['metrics.read'], expiresAtUtc: null },
    })

    const [scrape] = scrape_configs
    const scraped = await withToken(created.body.metricsToken).send({
      method: 'GET',
      url: scrape?.metrics_path ?? '/metrics',
    })

    expect(rule_files).toEqual(['alert-rules.yml'])
    expect(scrape).toMatchObject({ scheme: 'https', authorization: { credentials_file: expect.any(String) } })
    expect(scraped.status).toBe(200)
  })

  test('every alert says for how long its condition lasts and what is wrong', () => {
    for (const rule of rules) {
      expect(rule.for).toMatch(/^\d+[smh]$/)
      expect(rule.annotations.summary).toMatch(/\.$/)
    }
  })

  test('the dashboard shows every metric of the fleet', () => {
    const used = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
    const declared = [...metrics.matchAll(/^# TYPE (muster_\w+)/gm)].map(([, name = '']) => name)

    expect(declared.filter((name) => !used.includes(name))).toEqual(['muster_database_silence_seconds'])
  })
})
