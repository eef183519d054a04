import { useRef } from 'react'
import { SidePanel } from '../components/side-panel.tsx'
import { Review } from './review.tsx'
import type { ReviewedAction } from './reviewed-action.ts'

type ReviewPanelProps<T> = { isOpen: boolean; onClose: () => void; action: ReviewedAction<T> }

/** Shows what an action will do before it is carried out. Nothing typed is lost when it fails. */
export function ReviewPanel<T>({ isOpen, onClose, action }: ReviewPanelProps<T>) {
  // While the panel closes, it shows what was confirmed: the page behind it follows the change already.
  const shown = useRef(action)
  if (isOpen) shown.current = action
  return (
    <SidePanel isOpen={isOpen} onClose={onClose} title={shown.current.title}>
      <Review action={shown.current} onClose={onClose} />
    </SidePanel>
  )
}
