import { Stack, Text } from '@mantine/core'
import type { components } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { TitledList } from './titled-list.tsx'

type Move = components['schemas']['MovedGroup']

/** What a group gains and loses by its new place. */
export function MovePreview({ move }: { move: Move }) {
  const { groups, actions } = useTexts()
  const { gained, lost, variables, changesDistributionOptions } = move
  const changesNothing = gained.length + lost.length + variables.length === 0 && !changesDistributionOptions
  if (changesNothing) return <Text size="sm">{groups.moveChangesNothing}</Text>
  const assignment = ({ type, name, version }: (typeof gained)[number]) =>
    `${[name, version].filter(Boolean).join(' ')} (${groups.types[type]})`
  return (
    <Stack gap="sm">
      <TitledList title={groups.gained(gained.length)} items={gained.map(assignment)} />
      <TitledList title={groups.lost(lost.length)} items={lost.map(assignment)} />
      <TitledList
        title={groups.changedVariables(variables.length)}
        items={variables.map(({ dottedName, isSecret, previousValue, value }) =>
          isSecret
            ? groups.secretChanges(dottedName)
            : actions.changedField(dottedName, previousValue ?? actions.nothing, value ?? actions.nothing),
        )}
      />
      {changesDistributionOptions && <Text size="sm">{groups.otherOptions}</Text>}
      <Text size="sm" c="dimmed">
        {groups.movesNoSoftware}
      </Text>
    </Stack>
  )
}
