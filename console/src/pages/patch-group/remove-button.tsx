import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { ReviewedAction } from '../../actions/reviewed-action.ts'
import { IconTrash } from '../../components/icons.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'

type RemoveButtonProps = {
  /** What it removes, for screen readers. */
  label: string
  groupId: number
  action: Omit<ReviewedAction<unknown>, 'label' | 'refreshes'>
}

/** Removes something from the patch management group after a review. */
export function RemoveButton({ label, groupId, action }: RemoveButtonProps) {
  const { group } = usePatchTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <ActionIcon variant="subtle" color="red" aria-label={label} onClick={panel.open}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      <ReviewPanel
        isOpen={isOpen}
        onClose={panel.close}
        action={{ ...action, label: group.remove, refreshes: [['patches', 'group', groupId]] }}
      />
    </>
  )
}
