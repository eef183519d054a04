import { answerOf } from '@muster/client'
import { command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findComputer } from '../names/computers.ts'
import { findGroup } from '../names/groups.ts'

export const sbom = command({
  name: 'sbom',
  summary: 'The installed software as a bill of materials (CycloneDX)',
  description:
    'Of a computer, of a group with those below it, or of all computers. Writes JSON, whatever the format is.',
  arguments: [['[computer]', 'Name of the computer, or its id', 'computer']],
  options: [['--group <path>', 'The computers of this group and of those below it', 'group']],
  examples: [
    ['muster sbom web-01 > web-01.cdx.json', 'The software of a computer'],
    ['muster sbom > fleet.cdx.json', 'Each version that any computer has, with the number of computers'],
  ],
  operations: ['getComputerSbom', 'getFleetSbom', 'getComputer', 'searchComputers', 'listGroupTree'],
  async run({ args: [name], client, options, output }) {
    const { group } = options
    if (name !== undefined && group !== undefined) throw new UsageError('Give a computer or --group, not both.')
    if (name !== undefined) {
      const { id } = await findComputer(client, name)
      return output.json(await answerOf(client.GET('/api/computer/{id}/sbom', { params: { path: { id } } })))
    }
    const query = group === undefined ? {} : { groupId: (await findGroup(client, String(group))).id }
    output.json(await answerOf(client.GET('/api/fleet/sbom', { params: { query } })))
  },
})
