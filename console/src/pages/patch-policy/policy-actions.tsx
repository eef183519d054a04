import { Button, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { OtherChanges } from '../../actions/other-changes.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useEdited } from '../../actions/use-edited.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Versioned } from '../../api/client.ts'
import { IconTrash } from '../../components/icons.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type PatchPolicy, policiesKey } from '../patch-policies/policies.ts'
import { areComplete, PolicyFields } from '../patch-policies/policy-fields.tsx'
import { Rehearsal } from '../patch-policies/rehearsal.tsx'

type PolicyPanelProps = PanelProps & { version: Versioned<PatchPolicy> }

/** What those who approve patches can do with a policy. */
export function PolicyActions({ version }: { version: Versioned<PatchPolicy> }) {
  const texts = usePatchPolicyTexts()
  const { shown, open, onClose } = usePanels<'edit' | 'delete'>()
  const Panel = shown?.name === 'delete' ? DeletePanel : EditPanel
  return (
    <>
      <Button variant="default" onClick={() => open('edit', undefined)}>
        {texts.edit}
      </Button>
      <Button
        variant="default"
        c="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => open('delete', undefined)}
      >
        {texts.delete}
      </Button>
      {shown && <Panel key={shown.number} version={version} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function EditPanel({ version, ...panel }: PolicyPanelProps) {
  const texts = usePatchPolicyTexts()
  const { common } = useTexts()
  const { values, etag, typed, isChanged, others, type } = useEdited(version)
  const [settled] = useDebouncedValue(typed, 250)
  const { id, name } = version.value
  const body = {
    ...(typed.name !== undefined && { name: typed.name.trim() }),
    ...(typed.description !== undefined && { description: typed.description }),
    ...(typed.priority !== undefined && { priority: typed.priority }),
    ...(typed.rules !== undefined && { rules: typed.rules }),
  }
  return (
    <ReviewPanel<PatchPolicy>
      {...panel}
      action={{
        title: texts.editTitle(name),
        label: common.save,
        requestKey: { settled, etag },
        isComplete: isChanged && settled === typed && values !== undefined && areComplete(values),
        ...(etag && { etag }),
        form: values && (
          <Stack gap="sm">
            <OtherChanges
              changes={others}
              labels={{ name: texts.fields.name, description: texts.fields.description }}
            />
            <PolicyFields values={values} onChange={type} />
            <Rehearsal rules={values.rules} />
          </Stack>
        ),
        send: ({ query, headers }) =>
          api.PATCH('/api/patch-policies/{id}', { params: { path: { id }, query, header: headers }, body }),
        describe: ({ computers = 0 }) => texts.edits(computers),
        done: () => ({ text: common.saved }),
        refreshes: [policiesKey],
      }}
    />
  )
}

function DeletePanel({ version, ...panel }: PolicyPanelProps) {
  const texts = usePatchPolicyTexts()
  const { id } = version.value
  return (
    <ReviewPanel<unknown>
      {...panel}
      action={{
        title: texts.deleteTitle,
        label: texts.delete,
        isSevere: true,
        requestKey: ['delete', id, version.etag],
        etag: version.etag,
        send: ({ query, headers }) =>
          api.DELETE('/api/patch-policies/{id}', { params: { path: { id }, query, header: headers } }),
        describe: ({ computers = 0 }) => texts.deletes(computers),
        done: () => ({ text: texts.deleted, to: '/patches/policies' }),
        refreshes: [policiesKey],
      }}
    />
  )
}
