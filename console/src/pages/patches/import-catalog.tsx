import { Button, List, Progress, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'

type Import = Schemas['PatchCatalogImportStatus']
type Format = NonNullable<Schemas['PatchCatalogImportRequest']['format']>

const formats = ['Csaf', 'Muster'] as const satisfies readonly Format[]
const statusKinds = { Pending: 'neutral', Running: 'running', Success: 'good', Failed: 'bad' } as const
const pollMilliseconds = 1_000

/** The progress is in the address: a reload does not lose it. */
export const importParameter = 'catalogImport'

/** The button that imports advisories and catalogs from the package store. */
export function ImportCatalog() {
  const { catalog } = usePatchTexts()
  const { shown, open, onClose } = usePanels<'import'>()
  useAskedPanel('importCatalog', () => open('import', undefined))
  if (!useHasRole('pm.write')) return null
  return (
    <>
      <Button variant="default" onClick={() => open('import', undefined)}>
        {catalog.import}
      </Button>
      {shown && <ImportPanel key={shown.number} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function ImportPanel(panel: PanelProps) {
  const { catalog } = usePatchTexts()
  const [typed, setTyped] = useState('')
  const [format, setFormat] = useState<Format | null>(null)
  const folderPath = typed.trim()
  // The service checks the path once typing pauses.
  const [checked] = useDebouncedValue(folderPath, 300)
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: catalog.import,
        label: catalog.submit,
        requestKey: [checked, format],
        isComplete: folderPath !== '' && folderPath === checked,
        form: (
          <Stack gap="sm">
            <NamedField name="folderPath">
              <TextInput
                data-autofocus
                required
                label={catalog.path}
                description={catalog.pathHint}
                autoComplete="off"
                spellCheck={false}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            </NamedField>
            <NamedField name="format">
              <Select
                label={catalog.format}
                placeholder={catalog.anyFormat}
                clearable
                data={formats.map((value) => ({ value, label: catalog.formats[value] }))}
                value={format}
                onChange={(value) => setFormat(formats.find((one) => one === value) ?? null)}
              />
            </NamedField>
          </Stack>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/patches/import', {
            params: { query, header: headers },
            body: { folderPath, format },
          }),
        describe: () => catalog.imports(folderPath),
        done: ({ trackingId }) => ({ text: catalog.started, to: `/patches?${importParameter}=${trackingId}` }),
      }}
    />
  )
}

const isOver = (status: Import['status'] | undefined) => status === 'Success' || status === 'Failed'

/** How far the import is that the address names, and which documents were refused. */
export function CatalogImport() {
  const { catalog } = usePatchTexts()
  const { packages } = useTexts()
  const [params, setParams] = useSearchParams()
  const trackingId = params.get(importParameter)
  const { data, error } = useImport(trackingId)
  if (trackingId === null) return null
  const hide = () =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      after.delete(importParameter)
      return after
    })
  return (
    <Section
      title={catalog.title}
      actions={
        <>
          {data && (
            <StatusBadge kind={statusKinds[data.status]}>{packages.importing.statuses[data.status]}</StatusBadge>
          )}
          <Button size="compact-sm" variant="default" onClick={hide}>
            {packages.importing.hide}
          </Button>
        </>
      }
    >
      {!data && <ProblemAlert error={error} />}
      {data && (
        <Stack gap="sm">
          {!isOver(data.status) && <Progress value={data.progress ?? 0} aria-label={catalog.title} />}
          <Text size="sm" role="status">
            {catalog.counts(data)}
          </Text>
          {data.message && <Text size="sm">{data.message}</Text>}
          {data.faults.length > 0 && (
            <List size="sm">
              {data.faults.map(({ file, reason }) => (
                <List.Item key={file} className="breakable">
                  {file}: {reason}
                </List.Item>
              ))}
            </List>
          )}
        </Stack>
      )}
    </Section>
  )
}

function useImport(trackingId: string | null) {
  const queryClient = useQueryClient()
  const found = useQuery({
    queryKey: ['patch-import', trackingId],
    queryFn: () =>
      answerOf(api.GET('/api/patches/import/{trackingId}', { params: { path: { trackingId: trackingId ?? '' } } })),
    enabled: trackingId !== null,
    refetchInterval: ({ state }) => (isOver(state.data?.status) ? false : pollMilliseconds),
  })
  const hasEnded = isOver(found.data?.status)
  useEffect(() => {
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: ['patches'] })
  }, [hasEnded, queryClient])
  return found
}
