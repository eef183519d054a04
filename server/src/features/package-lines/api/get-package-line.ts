import { ok, operation } from '../../../platform/operation.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { notInLine } from '../problems.ts'
import { getLineAnswer } from './answers.ts'
import { PackageLineSchema } from './schemas.ts'

export const getPackageLine = operation({
  id: 'getPackageLine',
  route: 'GET /api/packages/:id/line',
  summary: 'Get the line of a package: all its versions, where they are, and what is proposed',
  role: 'package.read',
  execution: { kind: 'FleetRead' },
  params: PackagePath,
  returns: ok(PackageLineSchema),
  problems: [packageNotFound, notInLine],
  extension: true,
  handle: ({ params: { id }, db }) => getLineAnswer(db, id),
})
