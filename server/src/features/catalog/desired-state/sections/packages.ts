import { sql } from 'kysely'
import type { PartRequest } from '../../../../platform/steps.ts'
import { requireDifferent } from '../group-entries.ts'
import type { StateChange, StateSection } from '../state-section.ts'

/** Packages that have to exist, whether they are released, and their tags. Nothing is imported or deleted. */
export const packagesSection: StateSection = {
  name: 'packages',
  property: 'packages',
  usedBy: ['softwareClasses', 'groups'],
  readRole: 'package.read',
  async readCurrent(db, packages) {
    const { rows } = await sql<{ id: string; tags: string[]; groups: string[] }>`
      select packages.id,
        array(select tags.designation from package_tags join tags on tags.id = tag_id where package_id = packages.id
          order by lower(tags.designation)) as tags,
        array(
          select own.path from groups own join group_packages assigned on assigned.group_id = own.id
          where assigned.package_id = packages.id
          union
          select own.path from groups own join group_software_classes assigned on assigned.group_id = own.id
            join software_class_packages member on member.class_id = assigned.class_id
          where member.package_id = packages.id) as groups
      from packages`.execute(db)
    const details = new Map(rows.map((row) => [row.id, row]))
    return packages.list.map(({ id, label, hash, released }) => ({
      key: label.toLowerCase(),
      name: label,
      id,
      fields: { hash, released, tags: details.get(id)?.tags ?? [] },
      groups: details.get(id)?.groups ?? [],
    }))
  },
  readDocument: ({ packages: listed }, { packages }) =>
    listed &&
    requireDifferent(
      'packages',
      listed.map(({ hash, released, tags, ...reference }) => {
        const label = packages.labelOf(reference)
        return {
          key: label.toLowerCase(),
          name: label,
          fields: {
            ...(hash !== undefined && { hash }),
            released,
            ...(tags && { tags: tags.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)) }),
          },
          needs: (tags ?? []).map((tag) => ({ section: 'tags', key: tag.toLowerCase(), name: `The tag ${tag}` })),
        }
      }),
    ),
  writeDocument(objects, document, packages) {
    document.packages = objects.flatMap(({ name, fields }) => {
      const found = packages.find(name)
      const { hash, released, tags } = fields as { hash: string | null; released: boolean; tags: string[] }
      return found
        ? [{ ...found.reference, ...(hash !== null && { hash }), released, ...(tags.length > 0 && { tags }) }]
        : []
    })
  },
  isKept: () => true,
  blockersOf({ action, fields }) {
    if (action === 'add') return ['it is not in the service: import it first']
    return fields.some(({ field }) => field === 'hash') ? ['its content is another one: import it first'] : []
  },
  toRequests: (changes, { idOf }) =>
    changes.flatMap(({ before, after, fields }) => {
      const params = { id: before?.id }
      const requests = new Map<string, () => PartRequest>(
        Object.entries({
          released: () => ({ operation: 'setReadyToInstall', params, body: { operational: after?.fields.released } }),
          tags: () => ({
            operation: 'setPackageTags',
            params,
            body: { tagIds: tagsOf(after).map((tag) => idOf('tags', tag.toLowerCase())) },
          }),
        }),
      )
      return fields.flatMap(({ field }) => requests.get(field)?.() ?? [])
    }),
}

const tagsOf = (object: StateChange['after']) => (object?.fields.tags ?? []) as string[]
