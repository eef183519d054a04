import { computerNotFound, requireComputer } from '../../../domain/computers/computer-rows.ts'
import { VideoController } from '../../../domain/inventory/items.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { ComputerPath } from '../schemas.ts'
import { videoControllerRows } from './hardware.ts'

export const listVideoControllers = operation({
  id: 'listVideoControllers',
  route: 'GET /api/computer/:id/inventory/video-controllers',
  summary: 'List the graphics cards of a computer, as the last inventory found them',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(VideoController)),
  problems: [computerNotFound],
  async handle(call) {
    await requireComputer(call.db, call.params.id)
    return pageOf(call, videoControllerRows(call.db, call.params.id), { columns: ['position'] })
  },
})
