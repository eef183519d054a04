import { useBlocker } from 'react-router'
import { useTexts } from '../texts/texts.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useBeforeUnload } from './use-before-unload.ts'

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
