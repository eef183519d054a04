import { ok, operation } from '../../../platform/operation.ts'
import { closed, Id, Type } from '../../../platform/schema.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { Tag } from '../../tags/api/schemas.ts'
import { tagRows } from '../../tags/tags.ts'

export const listComputerTags = operation({
  id: 'listComputerTags',
  route: 'GET /api/computer/:id/tags',
  summary: 'List the tags of a computer',
  description:
    'Rollouts keep from touching all computers of a site at once that have a tag such as `protected:domain-controller`, ' +
    'given the tag of their site, such as `site:Berlin`.',
  role: 'computer.read',
  params: closed({ id: Id }),
  returns: ok(Type.Array(Tag)),
  problems: [computerNotFound],
  extension: true,
  async handle({ params, db }) {
    await requireComputer(db, params.id)
    return tagRows(db)
      .innerJoin('computer_tags', 'computer_tags.tag_id', 'tags.id')
      .where('computer_tags.computer_id', '=', params.id)
      .orderBy('tags.id')
      .execute()
  },
})
