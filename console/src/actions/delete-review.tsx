import type { Versioned } from '../api/client.ts'
import { OtherChanges } from './other-changes.tsx'
import { ReviewPanel } from './review-panel.tsx'
import type { ReviewedAction } from './reviewed-action.ts'
import { useEdited } from './use-edited.ts'
import type { PanelProps } from './use-panels.ts'

type DeleteReviewProps<T extends object, A> = PanelProps &
  Pick<ReviewedAction<A>, 'title' | 'label' | 'send' | 'describe' | 'details' | 'done' | 'refreshes'> & {
    /** The newest version of what is deleted. Undefined until it is read. */
    version: Versioned<T> | undefined
    /** The names of its properties for people: with them, the person is shown what others change. */
    labels?: Record<string, string>
    /** Whether the number of computers is typed, however small it is. True unless given. */
    isSevere?: ReviewedAction<A>['isSevere']
  }

/** Deletes something that has a version, as the person has seen it: what somebody else changes meanwhile is shown first. */
export function DeleteReview<T extends object, A = unknown>(props: DeleteReviewProps<T, A>) {
  const { isOpen, onClose, version, labels = {}, isSevere = true, ...action } = props
  const { etag, others } = useEdited(version)
  return (
    <ReviewPanel<A>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        ...action,
        isSevere,
        isComplete: etag !== undefined,
        requestKey: etag,
        ...(etag !== undefined && { etag }),
        form: <OtherChanges changes={others} labels={labels} />,
      }}
    />
  )
}
