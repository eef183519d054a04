import { type Api, until } from './api.ts'
import { type Groups, groupId } from './groups.ts'
import { writeStoreFile } from './packages.ts'

const folder = 'demo-advisories'

/** Fixed versions in Debian 12 by source package; null while there is no fix. All numbers are made up. */
const debian: Record<string, Record<string, { fixed: string | null; title: string; urgency: string }>> = {
  openssl: {
    'CVE-2031-10001': { fixed: '3.3.15', title: 'Memory corruption in the parser of certificates', urgency: 'high' },
    'CVE-2031-10002': { fixed: '3.1.15', title: 'Timing of signatures reveals parts of a key', urgency: 'low' },
  },
  openssh: { 'CVE-2031-10003': { fixed: '9.4.1', title: 'Sign-in without a password', urgency: 'high' } },
  'xz-utils': { 'CVE-2031-10004': { fixed: null, title: 'Endless loop with damaged archives', urgency: 'medium' } },
  sudo: { 'CVE-2031-10005': { fixed: '1.12.13', title: 'Rules with several hosts allow too much', urgency: 'medium' } },
  tzdata: { 'CVE-2031-10006': { fixed: '2020.1.0', title: 'Wrong time zones', urgency: 'low' } },
}

const ubuntu = { 'CVE-2031-10001': ['openssl', '3.4.15'], 'CVE-2031-10007': ['curl', '7.90.14'] } as const

/** Imports advisories with a vulnerability that is known to be exploited, and decides about two of them. */
export async function importAdvisories(api: Api, store: string, groups: Groups): Promise<void> {
  await writeDocuments(store)
  await importFrom(api, 'debian.json', 'DebianTracker')
  await importFrom(api, 'ubuntu', 'Osv', 'osv-ubuntu')
  await importFrom(api, 'pypi', 'Osv', 'osv-pypi')
  await importFrom(api, 'kev.json', 'Kev')
  await importFrom(api, 'epss.csv', 'Epss')
  await importFrom(api, 'nvd.json', 'Cvss')
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await except(api, 'CVE-2031-10004', {
    status: 'Accepted',
    reason: 'Archives come from our own depots only',
    expiresUtc: inDays(60),
  })
  await except(api, 'CVE-2031-10005', {
    status: 'NotAffected',
    reason: 'No rule of these computers names a host',
    groupId: groupId(groups.configuration, 'Europe'),
  })
  await api.post('/api/vulnerability-exceptions/vex', { document: statementOfVendor })
}

/** What the vendor of a package says about it as VEX: one statement counts, the other is about something else. */
const statementOfVendor = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  vulnerabilities: [
    {
      id: 'CVE-2031-10002',
      analysis: { state: 'false_positive', detail: 'This version was built without the part that signs' },
      affects: [{ ref: 'pkg:deb/debian/openssl@3.0.14?distro=debian-12' }, { ref: 'pkg:gem/left-pad@1.3.0' }],
    },
  ],
}

const except = (api: Api, key: string, body: object) => api.post(`/api/vulnerabilities/${key}/exceptions`, body)

async function writeDocuments(store: string): Promise<void> {
  const tracker = Object.fromEntries(
    Object.entries(debian).map(([source, issues]) => [
      source,
      Object.fromEntries(
        Object.entries(issues).map(([cve, { fixed, title, urgency }]) => {
          const state = fixed === null ? { status: 'open' } : { status: 'resolved', fixed_version: fixed }
          return [cve, { description: title, scope: 'remote', releases: { bookworm: { ...state, urgency } } }]
        }),
      ),
    ]),
  )
  const write = (path: string, content: unknown) =>
    writeStoreFile(store, `${folder}/${path}`, typeof content === 'string' ? content : JSON.stringify(content))
  await write('debian.json', tracker)
  for (const [cve, [name, fixed]] of Object.entries(ubuntu))
    await write(`ubuntu/${cve}.json`, {
      id: `UBUNTU-${cve}`,
      upstream: [cve],
      published: '2031-02-03T00:00:00Z',
      affected: [
        {
          package: { ecosystem: 'Ubuntu:24.04:LTS', name },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
        },
      ],
    })
  await write('pypi/PYSEC-2031-1.json', {
    id: 'PYSEC-2031-1',
    aliases: ['CVE-2031-10008'],
    summary: 'A role from a collection may run commands',
    affected: [
      {
        package: { ecosystem: 'PyPI', name: 'ansible-core' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.16.0' }] }],
      },
    ],
  })
  await write('kev.json', {
    title: 'Known exploited vulnerabilities of the demo',
    vulnerabilities: [
      {
        cveID: 'CVE-2031-10001',
        vulnerabilityName: 'OpenSSL memory corruption',
        dateAdded: '2031-02-10',
        dueDate: '2031-03-03',
        knownRansomwareCampaignUse: 'Known',
      },
    ],
  })
  await write(
    'epss.csv',
    '#model_version:demo\ncve,epss,percentile\nCVE-2031-10001,0.9421,0.9991\nCVE-2031-10003,0.12,0.91\n',
  )
  const nvd = (id: string, baseScore: number, vectorString: string) => ({
    cve: {
      id,
      published: '2031-02-03',
      metrics: { cvssMetricV31: [{ type: 'Primary', cvssData: { baseScore, vectorString } }] },
    },
  })
  await write('nvd.json', {
    vulnerabilities: [
      nvd('CVE-2031-10001', 9.8, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'),
      nvd('CVE-2031-10003', 8.1, 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H'),
    ],
  })
}

async function importFrom(api: Api, path: string, format: string, source?: string): Promise<void> {
  const body = { folderPath: `${folder}/${path}`, format, ...(source && { source }) }
  const { trackingId } = await api.post<{ trackingId: string }>('/api/vulnerabilities/import', body)
  await until(async () => {
    const { status, message } = await api.get<{ status: string; message: string | null }>(
      `/api/vulnerabilities/import/${trackingId}`,
    )
    if (status === 'Failed') throw new Error(`The import of ${path} failed: ${message}`)
    return status === 'Success' ? true : undefined
  }, `the import of ${path}`)
}
