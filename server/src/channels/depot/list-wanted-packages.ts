import { isWantedByDepot } from '../../features/depots/wanted-packages.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, sha256, Type, text, Uuid } from '../../platform/schema.ts'
import { depotContentHash } from './patch-files.ts'

export const listWantedPackages = operation({
  id: 'listWantedPackages',
  route: 'GET /depot/v1/packages',
  summary: 'List the packages that the depot must have',
  description:
    'All intact packages, or, when the depot topology is active, only those with a tag of the depot or the tag Global. The depot deletes packages that are not listed.',
  role: 'machine',
  returns: ok(
    Type.Array(
      closed({
        id: { ...Uuid, description: 'Id of the package' },
        name: text(255, 'Greeting', 'Name of the package'),
        contentHash: sha256('Hash over all files for the depot; it changes with their content'),
      }),
    ),
  ),
  handle: ({ db, machine }) =>
    db
      .selectFrom('packages')
      .where(isWantedByDepot(machine.clientId))
      .select(['packages.id', 'packages.name', depotContentHash.as('contentHash')])
      .orderBy('packages.id')
      .execute(),
})
