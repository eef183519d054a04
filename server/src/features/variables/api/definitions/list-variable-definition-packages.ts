import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { requireVariable, variableNotFound } from '../../definitions.ts'
import { packageUses, type VariableUse } from '../../packages-with-variable.ts'
import { VariablePackage, VariablePath } from './schemas.ts'

export const listVariableDefinitionPackages = operation({
  id: 'listVariableDefinitionPackages',
  route: 'GET /api/variable-definitions/:varId/packages',
  summary: 'List the packages that use a variable',
  description:
    'Packages of all kinds: templates, operating systems and boot images as well. A package is listed once for each way in which ' +
    'its manifest uses the variable: with a default value, in a condition, as a secret, or in its commands and properties. What ' +
    'the files of a package do with variables is not known.',
  role: 'package.read',
  extension: true,
  params: VariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariablePackage)),
  problems: [variableNotFound],
  async handle(call) {
    const { params, db } = call
    await requireVariable(db, params.varId)
    const uses = db
      .selectFrom('variable_definitions as definition')
      .innerJoinLateral(sql<UseRow>`(${packageUses('definition')})`.as('used'), (join) => join.onTrue())
      .innerJoin('packages', 'packages.id', 'used.package_id')
      .where('definition.id', '=', params.varId)
      .select(['packages.id', 'packages.name', 'packages.version', 'packages.kind', 'used.use', 'used.value'])
    return pageOf(call, uses, { columns: ['id', 'use'] })
  },
})

type UseRow = { package_id: string; use: VariableUse; value: string | null }
