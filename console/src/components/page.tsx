import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useTexts } from '../texts/texts.tsx'

type PageProps = { title: string; intro?: ReactNode; actions?: ReactNode; children: ReactNode }

/** The common layout of pages. It sets the window title and moves the focus to the heading when the page changes. */
export function Page({ title, intro, actions, children }: PageProps) {
  const texts = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const { key, pathname } = useLocation()
  const isFirstPage = key === 'default'
  useEffect(() => {
    document.title = `${title} · ${texts.shell.product}`
  }, [title, texts])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path means a new page
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus()
  }, [pathname])
  return (
    <Stack gap="md" maw={1280}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1} ref={heading} tabIndex={-1} className="breakable">
            {title}
          </Title>
          {intro && (
            <Text c="dimmed" size="sm" component="div">
              {intro}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
