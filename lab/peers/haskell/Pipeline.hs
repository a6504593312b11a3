{-# LANGUAGE OverloadedStrings #-}

-- | Strings go through three stages, each of which replaces one word.
module Pipeline (pipeline) where

import Control.Concurrent (forkIO)
import Control.Concurrent.Chan (Chan, newChan, readChan, writeChan)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (throwIO)
import Control.Monad (forM_)
import Data.Text (Text)
import qualified Data.Text as Text

import Measure

-- | A string, or nothing after the last.
type Item = Maybe Text

replaceFirst :: Text -> Text -> Text -> Text
replaceFirst word by text = case Text.breakOn word text of
  (before, rest)
    | Text.null rest -> text
    | otherwise -> Text.concat [before, by, Text.drop (Text.length word) rest]

stage :: Text -> Text -> Chan Item -> Chan Item -> IO ()
stage word by inbox next = do
  item <- readChan inbox
  case item of
    Nothing -> writeChan next Nothing
    Just text -> do
      writeChan next $! Just $! replaceFirst word by text
      stage word by inbox next

-- | The last stage checks each string; it gives their number, or the first that is wrong.
writer :: Chan Item -> MVar (Either Text Int) -> Int -> IO ()
writer inbox written counted = do
  item <- readChan inbox
  case item of
    Nothing -> putMVar written (Right counted)
    Just text -> do
      let wrote = replaceFirst "Indexed" "Wrote" text
      if wrote == Text.append "Wrote " (Text.pack (show counted))
        then writer inbox written $! counted + 1
        else putMVar written (Left wrote)

runPipeline :: Int -> IO Int
runPipeline items = do
  start <- now
  requested <- newChan
  downloaded <- newChan
  indexed <- newChan
  written <- newEmptyMVar
  _ <- forkIO (stage "Requested" "Downloaded" requested downloaded)
  _ <- forkIO (stage "Downloaded" "Indexed" downloaded indexed)
  _ <- forkIO (writer indexed written 0)
  forM_ [0 .. items - 1] $ \i ->
    writeChan requested $! Just $! Text.append "Requested " (Text.pack (show i))
  writeChan requested Nothing
  result <- takeMVar written
  end <- now
  case result of
    Right counted -> ensure "written strings" counted items
    Left wrong -> throwIO (WrongResult ("the last stage wrote " ++ show wrong))
  pure (end - start)

pipeline :: Args -> IO Metrics
pipeline args = do
  items <- count "items" 1000000 args
  (cold, warm) <- repeatedly (runPipeline items)
  pure
    [ ("wall_seconds", warm / 1e9)
    , ("wall_seconds_cold", cold / 1e9)
    , ("completed", fromIntegral items)
    ]
