import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { useTexts } from '../texts/texts.tsx'
import { useBeforeUnload } from './use-before-unload.ts'

/** Marks fields that nobody misses: what they contain confirms an action, or has its effect at once. */
export const unguarded = { 'data-unguarded': true }

/**
 * Keeps a panel from losing what was entered in it. It follows the events of all fields inside, so no form has to report
 * anything; those of lists arrive as well, because React passes them on from where they are shown.
 */
export function useInputGuard(isOpen: boolean, onClose: () => void) {
  const [hasInput, setHasInput] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => {
    if (isOpen) return
    setHasInput(false)
    setIsAsking(false)
  }, [isOpen])
  const note = ({ target }: SyntheticEvent) => {
    if (!(target as Element).closest('[data-unguarded]')) setHasInput(true)
  }
  const noteChoice = (event: SyntheticEvent) => {
    if ((event.target as Element).closest('[role=option]')) note(event)
  }
  return {
    isAsking,
    close: () => (hasInput ? setIsAsking(true) : onClose()),
    watch: (children: ReactNode) => (
      <>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only follows what the fields inside report */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that chooses changes the content of its field as well */}
        <div onChange={note} onClick={noteChoice}>
          {children}
        </div>
        {isOpen && hasInput && <Question isAsking={isAsking} onAsk={setIsAsking} onDiscard={onClose} />}
      </>
    ),
  }
}

type QuestionProps = { isAsking: boolean; onAsk: (isAsking: boolean) => void; onDiscard: () => void }

/** Asks before what was entered is lost: by closing the panel, by navigation or by closing the tab. */
function Question({ isAsking, onAsk, onDiscard }: QuestionProps) {
  const { common } = useTexts()
  useBeforeUnload(true)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      // What a panel does itself, such as showing the outcome, replaces or adds a page.
      historyAction === 'POP' && currentLocation.pathname !== nextLocation.pathname,
  )
  const isBlocked = blocker.state === 'blocked'
  const stay = () => {
    blocker.reset?.()
    onAsk(false)
  }
  const discard = () => {
    blocker.proceed?.()
    onDiscard()
  }
  return (
    <Modal
      opened={isAsking || isBlocked}
      onClose={stay}
      title={common.discardTitle}
      closeButtonProps={{ 'aria-label': common.close }}
      zIndex={400}
      // The listener of the library would answer the question with the key that has asked it.
      closeOnEscape={false}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && stay()}
    >
      <Stack>
        <Text size="sm">{common.discardText}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={discard}>
            {common.discard}
          </Button>
          <Button data-autofocus onClick={stay}>
            {common.keepEditing}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
