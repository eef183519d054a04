import { Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { ServiceAwayNotice } from './service-away-notice.tsx'
import { useInputGuard } from './use-input-guard.tsx'

type PanelProps = { isOpen: boolean; onClose: () => void; title: ReactNode; children: ReactNode }

/** A panel in the middle of the page, which keeps what is entered in it like one at the side. */
export function Dialog({ isOpen, onClose, title, children, ...modal }: PanelProps & Pick<ModalProps, 'size'>) {
  const { common } = useTexts()
  const guard = useInputGuard(isOpen, onClose)
  return (
    <Modal
      opened={isOpen}
      onClose={guard.close}
      closeOnEscape={!guard.isAsking}
      title={title}
      closeButtonProps={{ 'aria-label': common.close }}
      {...modal}
    >
      <ServiceAwayNotice />
      {guard.watch(children)}
    </Modal>
  )
}
