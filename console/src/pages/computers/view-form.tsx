import { Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRoles } from '../../api/roles.ts'
import type { View } from '../../api/views.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole, useSession } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'

type ViewFormProps = {
  views: readonly View[]
  /** The view whose name and roles are changed; otherwise the list that is shown is saved. */
  edited: View | undefined
  isSaving: boolean
  onSave: (name: string, sharedWith: View['sharedWith']) => Promise<void>
  onCancel: () => void
}

export function ViewForm({ views, edited, isSaving, onSave, onCancel }: ViewFormProps) {
  const { common, computers } = useTexts()
  const texts = computers.views
  const [typed, setTyped] = useState(edited?.name ?? '')
  const [roles, setRoles] = useState<readonly string[]>(edited?.sharedWith ?? [])
  const offered = useOfferedRoles(edited)
  const name = typed.trim()
  const isReplaced = !edited && views.some((view) => view.isOwn && view.name.toLowerCase() === name.toLowerCase())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The problem is shown above the form.
    if (name) onSave(name, roles as View['sharedWith']).catch(() => undefined)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <NamedField name="name">
          <TextInput
            size="xs"
            maxLength={100}
            label={texts.name}
            description={isReplaced ? texts.replaces : undefined}
            inputWrapperOrder={['label', 'input', 'description']}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </NamedField>
        <MultiSelect
          size="xs"
          label={texts.share}
          description={texts.shareHint}
          inputWrapperOrder={['label', 'input', 'description']}
          data={offered}
          value={[...roles]}
          onChange={setRoles}
          comboboxProps={{ withinPortal: false }}
        />
        <Group gap="xs">
          <Button size="xs" type="submit" disabled={!name} loading={isSaving}>
            {edited ? texts.change : texts.save}
          </Button>
          {edited && (
            <Button size="xs" variant="subtle" onClick={onCancel}>
              {common.cancel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** People share with their own roles, and administrators with all. */
function useOfferedRoles(edited: View | undefined): string[] {
  const { principal } = useSession()
  const { data } = useRoles({ enabled: useHasRole('admin.manage') })
  return [...new Set([...(data?.map(({ role }) => role) ?? principal.roles), ...(edited?.sharedWith ?? [])])]
}
