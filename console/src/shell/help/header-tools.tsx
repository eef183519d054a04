import { ActionIcon, Button, Group, Kbd } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { IconSearch } from '../../components/icons.ts'
import { useTexts } from '../../texts/texts.tsx'
import { commandKey } from './command-key.ts'
import { HelpMenu } from './help-menu.tsx'

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }))
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }))

type Shown = 'palette' | 'shortcuts'

/** The search for everything and the help, by button and by keyboard. What they open is loaded then. */
export function HeaderTools() {
  const { shell } = useTexts()
  const [shown, setShown] = useState<Shown>()
  // Stays rendered once it was opened: closing it then gives the focus back.
  const [wasShown, setWasShown] = useState<readonly Shown[]>([])
  const open = (tool: Shown) => {
    setShown(tool)
    setWasShown((tools) => (tools.includes(tool) ? tools : [...tools, tool]))
  }
  const close = useCallback(() => setShown(undefined), [])
  const { key, pathname } = useLocation()
  const isBack = useNavigationType() === 'POP'
  // "Back" closes what is open. Another page that arrives late does not: it was asked for before somebody opened this.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the address counts
  useEffect(() => {
    if (isBack) close()
  }, [key, pathname, isBack, close])
  const showShortcuts = () => open('shortcuts')
  useShortcuts({ find: () => (shown === 'palette' ? close() : open('palette')), showShortcuts })
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        size="sm"
        visibleFrom="sm"
        fw={400}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{`${commandKey} K`}</Kbd>}
        aria-keyshortcuts="Control+K"
        onClick={() => open('palette')}
      >
        {shell.find}
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" aria-label={shell.find} onClick={() => open('palette')}>
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      <HelpMenu showShortcuts={showShortcuts} />
      <Suspense>
        {wasShown.includes('palette') && (
          <Palette isOpen={shown === 'palette'} onClose={close} showShortcuts={showShortcuts} />
        )}
        {wasShown.includes('shortcuts') && <ShortcutsDialog isOpen={shown === 'shortcuts'} onClose={close} />}
      </Suspense>
    </Group>
  )
}

function useShortcuts({ find, showShortcuts }: { find: () => void; showShortcuts: () => void }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented) return
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && !event.shiftKey && event.key.toLowerCase() === 'k') {
        // Otherwise the browser would go to its own search.
        event.preventDefault()
        if (!isDialogOpen()) find()
      } else if (event.key === '?' && !isCommand && !isTyping(event.target) && !isDialogOpen()) {
        event.preventDefault()
        showShortcuts()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}

/** A dialog keeps its focus and what was typed into it. */
const isDialogOpen = () => document.querySelector('[role=dialog][aria-modal=true]:not([data-palette])') !== null

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
