import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { toYamlText } from '@muster/desired-state/in-browsers'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { downloadText } from '../../components/download-text.ts'
import { IconDownload } from '../../components/icons.ts'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { useFormat } from '../../texts/format.ts'
import { textFor } from '../../texts/texts.tsx'

type SectionOfState = { name: string; objects: readonly unknown[] }

/** A section may have thousands of objects: so many of them are shown, and all of them are in the file. */
const maxShown = 200

/** What the service is now, as the files of a desired state say it. */
export function CurrentTab() {
  const texts = useDesiredStateTexts()
  const [shown, setShown] = useState<SectionOfState>()
  const state = useQuery({
    queryKey: ['desired-state'],
    queryFn: () => answerOf(api.GET('/api/catalog/state')),
  })
  const sections = useMemo(() => toSections(state.data), [state.data])
  return (
    <TitledTable
      title={texts.current}
      hint={texts.currentHint}
      actions={
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={!state.data}
            onClick={() => downloadText('state.yaml', toYamlText(state.data))}
          >
            {texts.download}
          </Button>
          <RefreshButton {...state} />
        </Group>
      }
    >
      <DataTable
        caption={texts.current}
        columns={useColumns(setShown)}
        rows={sections}
        rowKey={({ name }) => name}
        error={state.error}
        onRetry={state.refetch}
        empty={{ title: texts.noSections, text: texts.noSectionsHint }}
      />
      <SectionDrawer section={shown} onClose={() => setShown(undefined)} />
    </TitledTable>
  )
}

const toSections = (state: object | undefined): SectionOfState[] | undefined =>
  state &&
  Object.entries(state).map(([name, objects]) => ({ name, objects: Array.isArray(objects) ? objects : [objects] }))

function useColumns(onShow: (section: SectionOfState) => void): Column<SectionOfState>[] {
  const texts = useDesiredStateTexts()
  const format = useFormat()
  const { columns } = texts
  return [
    {
      id: 'section',
      title: columns.section,
      cell: (section) => (
        <Anchor component="button" type="button" fz="sm" fw={600} ta="left" onClick={() => onShow(section)}>
          {textFor(texts.sections, section.name) ?? section.name}
        </Anchor>
      ),
    },
    { id: 'name', title: columns.name, cell: ({ name }) => <Code>{name}</Code> },
    { id: 'objects', title: columns.objects, width: 140, cell: ({ objects }) => format.number(objects.length) },
  ]
}

function SectionDrawer({ section, onClose }: { section: SectionOfState | undefined; onClose: () => void }) {
  const texts = useDesiredStateTexts()
  const title = section && (textFor(texts.sections, section.name) ?? section.name)
  return (
    <SidePanel isOpen={section !== undefined} onClose={onClose} title={title}>
      {section && (
        <Stack gap="sm">
          {section.objects.length > maxShown && (
            <Text size="sm" c="dimmed">
              {texts.firstObjects(maxShown, section.objects.length)}
            </Text>
          )}
          <Code block className="wrapped" tabIndex={0} role="group" aria-label={title}>
            {toYamlText({ [section.name]: section.objects.slice(0, maxShown) })}
          </Code>
        </Stack>
      )}
    </SidePanel>
  )
}
