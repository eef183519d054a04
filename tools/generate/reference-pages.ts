import { basename } from 'node:path'
import { PackageManifest, PackageRecipe } from '@muster/package-format'
import { agentChannel } from '../../server/src/channels/agent/index.ts'
import { machineChannels } from '../../server/src/channels/index.ts'
import { DesiredState } from '../../server/src/features/catalog/api/desired-state/document-schemas.ts'
import { Catalog } from '../../server/src/features/catalog/api/schemas.ts'
import { asyncApiDocument } from '../../server/src/features/events/async-api.ts'
import { sections as apiSections, operations } from '../../server/src/features/index.ts'
import { PatchCatalogDocument } from '../../server/src/features/patches/catalog/read-catalog-document.ts'
import { requiredRoles } from '../../server/src/platform/authentication/require-access.ts'
import { documentPath } from '../../server/src/platform/openapi/describe-operation.ts'
import { openApiDocument } from '../../server/src/platform/openapi/document.ts'
import { problemsOf } from '../../server/src/platform/openapi/implied-problems.ts'
import type { AnyOperation } from '../../server/src/platform/operation.ts'
import type { ProblemKind } from '../../server/src/platform/problem.ts'
import { roles } from '../../server/src/platform/roles.ts'
import type { TSchema } from '../../server/src/platform/schema.ts'
import { findOperationSource } from './operation-sources.ts'

const generated = 'Generated from the declarations by `npm run generate`; do not edit.\n'

/** Builds the reference pages, by file name. */
export function referencePages(): Record<string, string> {
  return {
    'operations.md': operationsPage(),
    'roles.md': rolesPage(),
    'problems.md': problemsPage(),
    'catalog.schema.json': jsonSchema(Catalog),
    'desired-state.schema.json': jsonSchema(DesiredState),
    'package-manifest.schema.json': jsonSchema(PackageManifest),
    'package-recipe.schema.json': jsonSchema(PackageRecipe),
    'agent-v1.json': `${JSON.stringify(openApiDocument(agentChannel), null, 2)}\n`,
    'events.asyncapi.json': `${JSON.stringify(asyncApiDocument(), null, 2)}\n`,
    'patch-catalog.schema.json': jsonSchema(PatchCatalogDocument),
  }
}

function jsonSchema(schema: TSchema): string {
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, 2)}\n`
}

function operationsPage(): string {
  const sections = [...apiSections, ...machineChannels.flatMap((channel) => channel.sections)].map(
    ({ name, description, operations }) =>
      `## ${name}\n\n${description}\n\n${table(
        ['Method and path', 'Operation', 'Role', 'Purpose', 'Source'],
        operations.map((operation) => [
          `\`${operation.method} ${documentPath(operation)}\``,
          operation.id + (operation.extension ? ' (extension)' : ''),
          requiredRoles(operation).join(', ') + (operation.readerRole ? ` or ${operation.readerRole}` : ''),
          operation.summary,
          sourceLink(operation),
        ]),
      )}`,
  )
  const counts = [
    `The API has ${operations.length} operations.`,
    ...machineChannels.map(({ sections, title, address }) => {
      const { length } = sections.flatMap((section) => section.operations)
      return `${title} has ${length} more, described in \`${address}\`.`
    }),
  ]
  return page('Operations', `${counts.join('\n')}\n\n${sections.join('\n')}`)
}

function sourceLink({ id }: AnyOperation): string {
  const file = findOperationSource(id)
  return `[${basename(file)}](../../${file})`
}

function rolesPage(): string {
  const sections = Object.entries(roles).map(([role, description]) => {
    const granted = operations
      .filter((operation) => [...requiredRoles(operation), operation.readerRole].some((needed) => needed === role))
      .map(({ id }) => id)
    return `## ${role}\n\n${description}\n\n${granted.join(', ') || 'No operation yet.'}\n`
  })
  return page('Roles and what they may call', `No role includes another.\n\n${sections.join('\n')}`)
}

function problemsPage(): string {
  const users = new Map<ProblemKind, AnyOperation[]>()
  const all = [
    ...operations,
    ...machineChannels.flatMap(({ sections }) => sections.flatMap((section) => section.operations)),
  ]
  for (const operation of all)
    for (const kind of problemsOf(operation)) users.set(kind, [...(users.get(kind) ?? []), operation])
  const rows = [...users]
    .sort(([a], [b]) => a.status - b.status || (a.code < b.code ? -1 : 1))
    .map(([kind, by]) => [
      `\`${kind.code}\``,
      String(kind.status),
      kind.message,
      by.length > 10 ? `${by.length} operations` : by.map(({ id }) => id).join(', '),
    ])
  return page('Problem codes', table(['Code', 'Status', 'Message', 'Answered by'], rows))
}

function page(title: string, content: string): string {
  return `# ${title}\n\n${generated}\n${content}`
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('')
}
