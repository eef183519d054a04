import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useTexts } from '../texts/texts.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** The navigation state of a form that was saved so that leaving it needs no confirmation. */
export const leavingIsFine = 'leaving is fine'

/** Asks for confirmation before unsaved input is lost, by navigation or by closing the tab. */
export function UnsavedChanges({ exist }: { exist: boolean }) {
  const texts = useTexts()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      exist && currentLocation.pathname !== nextLocation.pathname && nextLocation.state !== leavingIsFine,
  )
  useBeforeUnload(exist)
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title={texts.common.unsavedTitle}
      text={texts.common.unsavedText}
      confirmLabel={texts.common.leave}
      cancelLabel={texts.common.stay}
      onConfirm={async () => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  )
}

export function useBeforeUnload(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isNeeded])
}
