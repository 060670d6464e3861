import { act, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { HostedQuote } from "@/api/hosted";
import type { Generation } from "@/api/types";
import { renderWithProviders } from "@/test";
import { TextPrice } from "./TextPrice";
import { useWaitText } from "./words";

afterEach(() => vi.useRealTimers());

test("the seconds of a wait count down, from the server's latest answer", () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook<string, Generation["wait"]>(useWaitText, {
    initialProps: { reason: "rate", seconds: 12 },
  });
  expect(result.current).toMatch(/12\ss.*30 requests a minute/);
  act(() => vi.advanceTimersByTime(5000));
  expect(result.current).toMatch(/ 7\ss/);
  rerender({ reason: "rate", seconds: 3 });
  expect(result.current).toMatch(/ 3\ss/);
  act(() => vi.advanceTimersByTime(4000));
  expect(result.current).toBe("Waiting: 30 requests a minute");
  rerender(null);
  expect(result.current).toBe("");
});

test("the price of a long text says in how many parts it is sent and what is left", () => {
  const quote = { credits: 42_000, calls: 5, credits_left: 84_120, warn: false } as HostedQuote;
  renderWithProviders(<TextPrice quote={quote} />);
  expect(screen.getByRole("status", { name: "Price of this text: 42,000 credits" })).toHaveAttribute(
    "title",
    "Price of this text\nSent in 5 parts.\nYou have 84,120 credits.",
  );
});
