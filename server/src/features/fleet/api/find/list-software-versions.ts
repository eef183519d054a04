import { ok, operation } from '../../../../platform/operation.ts'
import { closed, nullable, Type } from '../../../../platform/schema.ts'
import { softwareFilters, softwareName } from '../../software/find-products.ts'
import { countSoftwareVersions } from '../../software/software-versions.ts'
import { line } from '../page-schemas.ts'
import { countSchema } from '../schemas.ts'

const SoftwareVersion = closed(
  {
    name: line('openssl', 'Name of the software'),
    version: nullable(line('3.0.15-1~deb12u1', 'Version; null if the inventories do not report one')),
    publisher: nullable(line('Debian OpenSSL Team', 'Publisher')),
    computers: countSchema('Number of computers on which it is installed'),
  },
  { title: 'SoftwareVersion' },
)

const SoftwareVersions = closed(
  {
    computers: countSchema('Number of computers on which at least one of these versions is installed'),
    unknownVersions: countSchema('Number of versions with this name that cannot be compared with the condition'),
    versions: Type.Array(SoftwareVersion, { description: 'By name, then the newest version first' }),
  },
  { title: 'SoftwareVersions' },
)

export const listSoftwareVersions = operation({
  id: 'listSoftwareVersions',
  route: 'GET /api/fleet/software',
  summary: 'List the versions of installed software with the number of their computers',
  description:
    'By the last inventory of each computer. listFleetComputers takes the same parameters and lists the computers. Versions are ' +
    'compared as dpkg or rpm does on Linux, and as numbers with dots on other systems. A parameter that matches more than 1000 versions ' +
    'is refused.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed({ ...softwareFilters, software: softwareName }),
  returns: ok(SoftwareVersions),
  handle: ({ db, query }) => countSoftwareVersions(db, query),
})
