import { Checkbox, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api } from '../../api/client.ts'
import { type UnusedPackage, unusedPackagesQuery } from '../../api/package-lines.ts'
import { useFormat } from '../../texts/format.ts'
import { usePackageLineTexts } from '../../texts/package-line-texts.ts'

/** Deletes versions that nothing refers to. The newest of a line is left out unless the person chooses it. */
export function CleanUpPanel(panel: PanelProps) {
  const texts = usePackageLineTexts().cleanUp
  const format = useFormat()
  const { data } = useQuery(unusedPackagesQuery)
  const [typed, setTyped] = useState<readonly string[]>()
  const items = data?.items ?? []
  const chosen = typed ?? items.filter(({ isNewest }) => !isNewest).map(({ id }) => id)
  const body = { packageIds: [...chosen], expectedPackages: chosen.length }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.title,
        label: texts.label,
        requestKey: chosen,
        isComplete: chosen.length > 0,
        isSevere: true,
        form: <Choice items={items} chosen={chosen} onChange={setTyped} />,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/package-lines/clean-up', {
            params: { query, header: headers },
            body,
          }),
        describe: ({ answer }) => texts.describes(answer.deletedCount, format.bytes(answer.freedBytes)),
        done: ({ deletedCount }) => ({ text: texts.done(deletedCount) }),
        refreshes: [['packages'], ['package'], ['package-lines']],
      }}
    />
  )
}

type ChoiceProps = {
  items: readonly UnusedPackage[]
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}

function Choice({ items, chosen, onChange }: ChoiceProps) {
  const texts = usePackageLineTexts()
  const format = useFormat()
  if (items.length === 0) return <Text size="sm">{texts.cleanUp.none}</Text>
  return (
    <Checkbox.Group value={[...chosen]} onChange={onChange} label={texts.columns.version}>
      <Stack gap="xs" mt="xs">
        {items.map(({ id, name, version, revision, platform, state, isNewest, freedBytes }) => (
          <Checkbox
            key={id}
            value={id}
            label={[name, version, revision && `(${revision})`, `· ${texts.platforms[platform]}`]
              .filter(Boolean)
              .join(' ')}
            description={[
              texts.states[state],
              isNewest && texts.cleanUp.newest,
              texts.cleanUp.frees(format.bytes(freedBytes)),
            ]
              .filter(Boolean)
              .join(', ')}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
