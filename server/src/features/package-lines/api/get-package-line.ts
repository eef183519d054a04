import { ok, operation } from '../../../platform/operation.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { findLineOf } from '../line-versions.ts'
import { notInLine } from '../problems.ts'
import { toLineAnswers } from './answers.ts'
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
  async handle({ params: { id }, db }) {
    const line = await findLineOf(db, id.toLowerCase())
    if (!line) {
      await requirePackage(db, id)
      throw notInLine({ packageId: id })
    }
    const [answer] = await toLineAnswers(db, [line])
    if (!answer) throw new Error('Each line has an answer.')
    return answer
  },
})
