import { Button, Popover } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useViews } from '../../api/views.ts'
import { IconStar } from '../../components/icons.ts'
import { Loading } from '../../components/loading.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { addressOfView, type ViewContent } from './view-address.ts'

const ViewsPanel = lazy(async () => ({ default: (await import('./views-panel.tsx')).ViewsPanel }))

/** Saved views: lists with their filters, columns and order under a name. `content` is the list that is shown. */
export function ViewsMenu({ content }: { content: ViewContent }) {
  const { computers: texts } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const { data: views } = useViews('computers')
  const address = addressOfView(content)
  const current = views?.items.find((view) => addressOfView(view) === address)
  return (
    <Popover position="bottom-end" shadow="md" width={360} trapFocus opened={isOpen} onChange={setIsOpen}>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          fw={500}
          maw={240}
          leftSection={<IconStar size={14} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {current ? texts.views.current(current.name) : texts.views.title}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.views.title}>
        <Suspense fallback={<Loading height={120} />}>
          <ViewsPanel views={views?.items ?? []} content={content} current={current} close={() => setIsOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
