import { Badge, Code, Group, Text } from '@mantine/core'
import type { PackagePageData } from '../../api/packages.ts'
import { Facts } from '../../components/facts.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/section.tsx'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { useFileSize } from './use-file-size.ts'

export function PackageFacts({ page }: { page: PackagePageData }) {
  const { packages } = useTexts()
  const fileSize = useFileSize()
  const texts = packages.page
  const { packageName, version, revision, kind, os, author, description, contentHash, signature, importedBy } =
    page.package
  return (
    <Section title={texts.facts}>
      <Facts
        rows={[
          [texts.description, description],
          [texts.packageName, packageName],
          [texts.version, [version, revision && `(${revision})`].filter(Boolean).join(' ')],
          [texts.kind, textFor(packages.kinds, kind) ?? kind],
          [texts.os, os.join(', ')],
          [texts.author, author],
          [texts.tags, <Tags key="tags" tags={page.tags} />],
          [texts.folder, page.folder && <Code>{page.folder}</Code>],
          [texts.files, page.fileCount > 0 ? texts.fileCount(page.fileCount, fileSize(page.sizeBytes)) : null],
          [
            texts.imported,
            page.importedAtUtc && (
              <>
                <Moment at={page.importedAtUtc} /> {importedBy && texts.importedBy(importedBy)}
              </>
            ),
          ],
          [texts.contentHash, contentHash && <Code>{contentHash.slice(0, 16)}</Code>],
          [texts.signature, signature && texts.signedBy(signature.keyId)],
        ]}
      />
    </Section>
  )
}

function Tags({ tags }: Pick<PackagePageData, 'tags'>) {
  const { page } = useTexts().packages
  if (tags.length === 0)
    return (
      <Text size="sm" c="dimmed" component="span">
        {page.noTags}
      </Text>
    )
  return (
    <Group gap={6}>
      {tags.map(({ id, designation }) => (
        <Badge key={id} color="gray">
          {designation}
        </Badge>
      ))}
    </Group>
  )
}
