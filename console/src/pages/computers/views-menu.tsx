import { ActionIcon, Anchor, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { IconStar, IconTrash } from '../../components/icons.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type SavedView, useSavedViews } from './use-saved-views.ts'

/** Saved views: lists with their filters, columns and order under a name. `search` is the list that is shown. */
export function ViewsMenu({ search }: { search: string }) {
  const { computers: texts } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const { views, save, remove } = useSavedViews()
  const close = () => setIsOpen(false)
  return (
    <Popover position="bottom-end" shadow="md" width={320} trapFocus opened={isOpen} onChange={setIsOpen}>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          fw={500}
          leftSection={<IconStar size={14} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {texts.views.title}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.views.title}>
        <Stack gap="xs">
          <Anchor component={Link} to="/computers" size="sm" onClick={close}>
            {texts.views.all}
          </Anchor>
          {views.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap" gap="xs">
              <Anchor component={Link} to={`/computers${view.search}`} size="sm" truncate onClick={close}>
                {view.name}
              </Anchor>
              <ActionIcon
                variant="subtle"
                size="sm"
                aria-label={texts.views.remove(view.name)}
                onClick={() => remove(view.name)}
              >
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {views.length === 0 && (
            <Text size="sm" c="dimmed">
              {texts.views.none}
            </Text>
          )}
          <SaveForm
            views={views}
            onSave={(name) => {
              save({ name, search })
              notifications.show({ message: texts.views.saved(name), color: 'green' })
              close()
            }}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

type SaveFormProps = { views: readonly SavedView[]; onSave: (name: string) => void }

function SaveForm({ views, onSave }: SaveFormProps) {
  const { computers: texts } = useTexts()
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!name) return
    onSave(name)
    setTyped('')
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          maxLength={60}
          aria-label={texts.views.name}
          placeholder={texts.views.name}
          description={views.some((view) => view.name === name) ? texts.views.replaces : undefined}
          inputWrapperOrder={['input', 'description']}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" disabled={!name}>
          {texts.views.save}
        </Button>
      </Group>
    </form>
  )
}
