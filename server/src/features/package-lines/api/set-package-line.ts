import { toName } from '@muster/schema'
import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { notInLine } from '../problems.ts'
import { getLineAnswer } from './answers.ts'
import { getPackageLine } from './get-package-line.ts'
import { PackageLineSchema, SetPackageLineRequest } from './schemas.ts'

export const setPackageLine = operation({
  id: 'setPackageLine',
  route: 'PUT /api/packages/:id/line',
  summary: 'Set the line to which a package belongs',
  description:
    'By default, packages with the same name in the manifest are versions of one line. If a vendor has renamed its software, ' +
    'give both names the same line: then each version takes the place of the other on a computer. Null restores the default.',
  role: 'package.write',
  params: PackagePath,
  body: SetPackageLineRequest,
  returns: ok(PackageLineSchema),
  problems: [packageNotFound, notInLine],
  shows: getPackageLine,
  extension: true,
  async handle({ params: { id }, body: { line }, db }) {
    const { numAffectedRows } = await sql`
      update packages set line_name = ${line === null ? null : toName(line)} where id = ${id}`.execute(db)
    if (!numAffectedRows) throw packageNotFound({ packageId: id })
    return getLineAnswer(db, id)
  },
})
