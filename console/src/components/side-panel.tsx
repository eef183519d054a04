import { Drawer, type DrawerProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { ServiceAwayNotice } from './service-away-notice.tsx'
import { useInputGuard } from './use-input-guard.tsx'

type PanelProps = { isOpen: boolean; onClose: () => void; title: ReactNode; children: ReactNode }

/**
 * A panel at the side of the page. What closes it by accident, such as Escape, a click beside it, "back" or a reload, asks first
 * if something was entered. Its own buttons call `onClose` and do not ask.
 */
export function SidePanel({ isOpen, onClose, title, children, ...drawer }: PanelProps & Pick<DrawerProps, 'size'>) {
  const { common } = useTexts()
  const guard = useInputGuard(isOpen, onClose)
  return (
    <Drawer
      opened={isOpen}
      onClose={guard.close}
      closeOnEscape={!guard.isAsking}
      title={title}
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
      {...drawer}
    >
      <ServiceAwayNotice />
      {guard.watch(children)}
    </Drawer>
  )
}
