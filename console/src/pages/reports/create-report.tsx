import { Button, Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api } from '../../api/client.ts'
import { GroupChoice } from '../../components/group-choice.tsx'
import { IconPlus } from '../../components/icons.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { newReportValues, ReportFields, toRequest } from './report-fields.tsx'
import { type Report, reportsKey } from './reports.ts'

const kinds = ['Issues', 'PatchCompliance', 'Software', 'Licences'] as const

export function CreateReport() {
  const texts = useReportTexts()
  const { shown, open, onClose } = usePanels<'create'>()
  useAskedPanel('newReport', () => open('create', undefined))
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('create', undefined)}>
        {texts.create}
      </Button>
      {shown && <CreatePanel key={shown.number} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function CreatePanel(panel: PanelProps) {
  const texts = useReportTexts()
  const readsPatches = useHasRole('pm.read')
  const readsGroups = useHasRole('group.read')
  const [typed, setTyped] = useState(() => ({ ...newReportValues(), kind: 'Issues' as Report['kind'], groupId: '' }))
  const [settled] = useDebouncedValue(typed, 250)
  const change = (changes: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...changes }))
  const { kind, groupId, ...values } = typed
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.create,
        label: texts.create,
        requestKey: settled,
        isComplete: values.name.trim() !== '' && settled === typed,
        form: (
          <Stack gap="sm">
            <NamedField name="kind">
              <Select
                label={texts.fields.kind}
                allowDeselect={false}
                data={kinds
                  .filter((value) => value !== 'PatchCompliance' || readsPatches)
                  .map((value) => ({ value, label: texts.kinds[value] }))}
                value={kind}
                onChange={(value) => change({ kind: value as Report['kind'] })}
              />
            </NamedField>
            {readsGroups && (
              <GroupChoice
                label={texts.fields.group}
                placeholder={texts.allComputers}
                value={groupId}
                onChange={(id) => change({ groupId: id })}
              />
            )}
            <ReportFields values={values} onChange={change} />
          </Stack>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/reports', {
            params: { query, header: headers },
            body: { ...toRequest(values), kind, groupId: groupId || null },
          }),
        describe: ({ answer }) => texts.creates(answer.name),
        done: ({ id, name }) => ({ text: texts.created(name), to: `/reports/${id}` }),
        refreshes: [reportsKey],
      }}
    />
  )
}
