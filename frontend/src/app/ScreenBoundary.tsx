import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, ErrorBox } from "@/ui";

function Broken({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const { t } = useTranslation();
  return (
    <div className="p-6">
      <ErrorBox
        error={error}
        action={
          <Button size="small" onClick={onRetry}>
            {t("retry")}
          </Button>
        }
      />
    </div>
  );
}

interface Props {
  children: ReactNode;
  /** Called before the children are rendered again. */
  onRetry?(): void;
}

/** Catches errors of a screen, so that the frame and the player keep working. */
export class ScreenBoundary extends Component<Props, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  private retry = () => {
    this.props.onRetry?.();
    this.setState({ error: null });
  };

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Broken error={this.state.error} onRetry={this.retry} />;
  }
}
