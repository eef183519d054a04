import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { videoControllerRows } from '../hardware.ts'
import { VideoController } from '../items.ts'

export const listVideoControllers = operation({
  id: 'listVideoControllers',
  route: 'GET /api/computer/:id/inventory/video-controllers',
  summary: 'List the graphics cards of a computer',
  description: 'In the order in which the last inventory reported them.',
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
