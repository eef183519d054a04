import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { imageColumns } from '../../../packages/manifest-texts.ts'
import { assigningGroupColumns, effectiveForComputer } from '../../effective-for-computer.ts'
import { ComputerLanguagePack } from './schemas.ts'

export const listComputerLanguagePacks = operation({
  id: 'listComputerLanguagePacks',
  route: 'GET /api/computer/:id/language-packs',
  summary: 'List the effective language packs of a computer, each with the group that assigns it',
  description:
    'A computer gets the language packs of all its groups and their ancestors. Each is listed once, with the nearest ' +
    'group that assigns it.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(ComputerLanguagePack)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, db } = call
    await requireComputer(db, params.id)
    const packs = db
      .selectFrom('packages')
      .innerJoin(effectiveForComputer('languagePack', params.id), 'effective.object_id', 'packages.id')
      .select(['packages.id as packageId', 'packages.name as imageName', ...imageColumns, ...assigningGroupColumns])
    return pageOf(call, packs, { columns: ['packageId'] })
  },
})
