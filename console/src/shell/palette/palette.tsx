import { Combobox, Group, Kbd, Loader, Modal, Text, TextInput, useCombobox, VisuallyHidden } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { IconExternalLink, IconSearch } from '../../components/icons.ts'
import { usePaletteTexts } from '../../texts/palette-texts.ts'
import classes from './palette.module.css'
import type { PaletteItem } from './palette-item.ts'
import { usePaletteItems } from './use-palette-items.ts'

type PaletteProps = { isOpen: boolean; onClose: () => void; showShortcuts: () => void }

/**
 * Finds computers, users, packages, patches, groups, pages and actions by keyboard. `Spotlight` of the component library is not used: its
 * matches are neither a listbox nor options, so a screen reader does not name them.
 */
export function Palette({ isOpen, onClose, showShortcuts }: PaletteProps) {
  const texts = usePaletteTexts()
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size="lg" yOffset="10vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content data-palette aria-label={texts.title}>
        <Finder onClose={onClose} showShortcuts={showShortcuts} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Finder({ onClose, showShortcuts }: Omit<PaletteProps, 'isOpen'>) {
  const texts = usePaletteTexts()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const { groups, items, isSearching, error, remember } = usePaletteItems(text, showShortcuts)
  const combobox = useCombobox({ opened: true, onOpenedChange: (isOpened) => !isOpened && onClose() })
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  useEffect(() => {
    // The library names the list only when something else has changed.
    field.current?.setAttribute('aria-controls', listId)
  }, [listId])
  const order = items.map(({ id }) => id).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: other matches begin with the first one
  useEffect(() => {
    const id = items.length > 0 ? combobox.selectFirstOption() : null
    // The component library names the option for screen readers only once an arrow key has moved to it.
    if (id) field.current?.setAttribute('aria-activedescendant', id)
    else field.current?.removeAttribute('aria-activedescendant')
  }, [order, text])

  function choose(id: string) {
    const item = items.find((one) => one.id === id)
    if (!item) return
    remember(item)
    onClose()
    if (item.to !== undefined) void navigate(item.to, item.panel === undefined ? {} : { state: { panel: item.panel } })
    else if (item.href !== undefined) window.open(item.href, '_blank', 'noopener')
    else item.run?.()
  }

  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          ref={field}
          data-autofocus
          size="md"
          variant="unstyled"
          className={classes.field ?? ''}
          aria-label={texts.search}
          placeholder={texts.hint}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={isSearching && <Loader size="xs" aria-hidden />}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options id={listId} aria-label={texts.results} className={classes.matches ?? ''}>
        {groups.map(({ group, items: members }) => (
          <Combobox.Group key={group} label={texts.groups[group]}>
            {members.map((item) => (
              <Match key={item.id} item={item} />
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      {items.length === 0 && text !== '' && !isSearching && (
        <Text c="dimmed" size="sm" ta="center" p="md" className="breakable">
          {texts.nothing(text)}
        </Text>
      )}
      {error && (
        <Text c="red" size="sm" px="md" pb="md" role="alert">
          {texts.failed}
        </Text>
      )}
      <Keys />
      <VisuallyHidden role="status">
        {isSearching ? texts.loading : text === '' ? '' : texts.found(items.length)}
      </VisuallyHidden>
    </Combobox>
  )
}

function Match({ item: { id, icon: Icon, label, hint, href } }: { item: PaletteItem }) {
  return (
    <Combobox.Option value={id} className={classes.match ?? ''}>
      <Icon size={18} aria-hidden className={classes.icon} />
      <span className={classes.texts}>
        <span className={classes.label}>{label}</span>
        {hint && <span className={classes.hint}>{hint}</span>}
      </span>
      {href !== undefined && <IconExternalLink size={14} aria-hidden className={classes.icon} />}
    </Combobox.Option>
  )
}

function Keys() {
  const { keys } = usePaletteTexts()
  return (
    <Group gap="md" className={classes.keys ?? ''} visibleFrom="sm">
      <Text size="xs" c="dimmed">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {keys.move}
      </Text>
      <Text size="xs" c="dimmed">
        <Kbd size="xs">↵</Kbd> {keys.open}
      </Text>
      <Text size="xs" c="dimmed">
        <Kbd size="xs">Esc</Kbd> {keys.close}
      </Text>
    </Group>
  )
}
