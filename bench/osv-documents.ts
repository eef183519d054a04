import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many source packages the documents name. Computers have some of them. */
const packages = 4_000

/** Debian has a document for each CVE with the releases of one package. */
const debian = { share: 0.45, ecosystems: ['Debian:11', 'Debian:12', 'Debian:13', 'Debian:14'], packages: 1 }

/** Those of Ubuntu name several packages in each release, such as all kernels. */
const ubuntu = {
  share: 0.55,
  ecosystems: ['Ubuntu:20.04:LTS', 'Ubuntu:22.04:LTS', 'Ubuntu:24.04:LTS', 'Ubuntu:25.10'],
  packages: 3,
}

/** Writes documents as the mirrors of Debian and Ubuntu have them, and returns their size in MB. */
export async function writeOsvDocuments(folder: string, count: number): Promise<number> {
  let bytes = 0
  for (const [name, { share, ecosystems, packages: perRelease }] of Object.entries({ debian, ubuntu })) {
    await mkdir(join(folder, name), { recursive: true })
    for (let at = 0; at < count * share; at++) {
      const id = `${name.toUpperCase()}-CVE-${2000 + (at % 27)}-${100_000 + at}`
      const text = JSON.stringify(buildOsvDocument(id, at, ecosystems, perRelease))
      bytes += text.length
      await writeFile(join(folder, name, `${id}.json`), text)
    }
  }
  return Math.round(bytes / 1_000_000)
}

function buildOsvDocument(id: string, number: number, ecosystems: readonly string[], perRelease: number) {
  return {
    schema_version: '1.7.0',
    id,
    upstream: [id.replace(/^\w+-/, '')],
    published: '2026-03-01T10:00:00Z',
    modified: '2026-03-01T10:00:00Z',
    details: 'A fault lets attackers run code. '.repeat(15),
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    references: [{ type: 'ADVISORY', url: `https://advisories.example.org/${id}` }],
    affected: ecosystems.flatMap((ecosystem) =>
      Array.from({ length: perRelease }, (_, at) => ({
        package: { ecosystem, name: `source${(number * 7 + at * 11) % packages}` },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: `1.0.${number % 5}` }] }],
        versions: Array.from({ length: 25 }, (_, version) => `0.9.${version}-${number % 100}+deb${version % 14}u1`),
      })),
    ),
  }
}
